// Between the board as a picture and the board as lists.
import { words } from '../../i18n/index.ts';
import { change, settings } from '../../settings.ts';

/** The switch, a line of the menus at a table. */
export function TextSwitch() {
  const { text } = words().table;
  const { textBoard } = settings.value;
  return (
    <button type="button" onClick={() => change({ textBoard: !textBoard })}>
      {textBoard ? text.back : text.toggle}
    </button>
  );
}
