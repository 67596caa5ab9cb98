// The file that was picked on another page, on its way to the viewer.

let picked: File | undefined;

/** Leaves a file for the viewer. */
export function leavePicked(file: File): void {
  picked = file;
}

/** Takes the file that was left, once. */
export function takePicked(): File | undefined {
  const file = picked;
  picked = undefined;
  return file;
}
