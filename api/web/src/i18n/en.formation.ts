// Words of importing a formation, read once a file was picked.
import type { Piece } from '../api/generated.ts';
import { names } from './en.names.ts';
import type { FormationWords } from './zh-Hans.formation.ts';

const now = 'It was not used; mend the file, or choose another.';

/** What is wrong with a formation file. */
const formation: FormationWords = {
  unreadable:
    'No formation could be read in this file. Choose a .yibu-formation.json saved with “Export”, or a .jql of QQ.',
  tooLarge: 'This file is too large to be a formation. Choose another.',
  notJson: `This file is damaged: it is no valid JSON. ${now}`,
  version: (version: string) =>
    `This formation file has version ${version}; only version 1 is read here. Save it anew with “Export”.`,
  total: (n: number) => `The file has ${n === 1 ? '1 piece' : `${n} pieces`} instead of 25. ${now}`,
  piece: (n: number, name: string) => `Piece ${n} of the file, “${name}”, is no known piece. ${now}`,
  place: (n: number, row: string, col: string) =>
    `Piece ${n} of the file stands on row ${row}, column ${col}, where no piece can be placed. ${now}`,
  twice: (n: number, row: number, col: number) =>
    `Piece ${n} of the file stands on row ${row}, column ${col}, where another stands already. ${now}`,
  kind: (piece: Piece, n: number, most: number) =>
    `Of the ${names[piece]} there ${n === 1 ? 'is' : 'are'} ${n} in the file instead of ${most}. ${now}`,
};
export default formation;
