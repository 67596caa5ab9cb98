// The words of arranging; read when somebody arranges.
import type { FormationRule } from '../api/generated.ts';
import type { DeployWords } from './zh-Hans.deploy.ts';

// Rules of formations.
const rules: Record<FormationRule, string> = {
  BOMB_IN_FRONT_ROW: 'bombs may not stand in the front row',
  FLAG_NOT_IN_HEADQUARTERS: 'the flag must stand in a headquarters',
  MINE_NOT_IN_LAST_TWO_ROWS: 'mines stand in the last two rows only',
  POSITION_EMPTY: 'no piece here',
  POSITION_IN_CAMP: 'camps start empty',
  POSITION_NOT_OWN: 'not a position of your area',
  UNKNOWN_PIECE: 'unknown piece',
  WRONG_COUNT: 'wrong number of pieces',
};

const deploy: DeployWords = {
  leaveFree: 'Leave this table? It has not started: no points are lost, and you can match again.',
  heading: 'Formation',
  hint: 'Tap two pieces to swap them, or drag one',
  hintText: 'Choose one of your pieces, then the one to swap it with',
  ready: 'Ready',
  unready: 'Take back and rearrange',
  random: 'Random',
  import: 'Import',
  export: 'Export',
  saved: 'Saved',
  save: 'Save this one',
  nameIt: 'Name',
  apply: 'Use',
  remove: 'Delete',
  none: 'No saved formations yet. They stay in this browser.',
  importHint: 'Reads .yibu-formation.json, QQ’s .jql, SIGUOSET text and layout= text',
  applied: 'Your formation is set',
  counts: 'This is not a whole formation of 25 pieces, so it was not used. Try another.',
  savedAs: (name: string) => `Saved “${name}”`,
  defaultName: (n: number) => `Formation ${n}`,
  broken: 'This breaks the rules:',
  rule: (rule: FormationRule, at: string) => `${at}: ${rules[rule]}`,
};

export default deploy;
