// Short tones, made on the spot, for those who switched sound on; never the only signal.

type Tone = 'own' | 'other' | 'battle' | 'turn';
const NOTES: Record<Tone, readonly [number, number][]> = {
  own: [[392, 0.07]],
  other: [[330, 0.07]],
  battle: [
    [196, 0.09],
    [147, 0.14],
  ],
  turn: [
    [523, 0.1],
    [659, 0.16],
  ],
};

let context: AudioContext | null = null;

/** Sounds a tone. */
export function sound(tone: Tone): void {
  context ??= new AudioContext();
  let at = context.currentTime;
  for (const [pitch, length] of NOTES[tone]) {
    const note = context.createOscillator();
    const volume = context.createGain();
    note.type = 'triangle';
    note.frequency.value = pitch;
    volume.gain.setValueAtTime(0.12, at);
    volume.gain.exponentialRampToValueAtTime(0.001, at + length);
    note.connect(volume).connect(context.destination);
    note.start(at);
    note.stop(at + length);
    at += length;
  }
}
