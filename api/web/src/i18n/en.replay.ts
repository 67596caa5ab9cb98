// The words of the replay viewer.

// For the wrong file: what is expected, and what to do now.
const wrong =
  ' Choose a replay saved here; its name ends in .yibu-replay.json. The table of an ended match and the mail at its end have it.';
// For the right kind of file with something wrong inside.
const hurt =
  ' The file may be damaged or changed: get it again from the ended table or from the mail at its end.';

/** The replay viewer. */
export const replay = {
  heading: 'Replay',
  open: 'Choose a replay file',
  drop: 'You can also drop it here',
  offline: 'The server cannot be reached; you can still view replays.',
  intro:
    'Opens your own .yibu-replay.json. It is read on this device, not uploaded, and not added to any library.',
  formats: 'Versions 1 and 2, up to 10 MiB.',
  another: 'Another file',
  play: 'Play',
  stop: 'Stop',
  back: 'One step back',
  forward: 'One step forward',
  toStart: 'To the start',
  toEnd: 'To the end',
  position: 'Position',
  speed: 'Speed',
  times: (n: number) => `${n}×`,
  step: (n: number, total: number) => `Step ${n} of ${total}`,
  turnBoard: 'Turn',
  nobody: 'no nickname',
  perspective: 'View',
  show: (name: string) => `Show the pieces of ${name}`,
  hide: (name: string) => `Hide the pieces of ${name}`,
  custom: 'My choice',
  earlier: 'Earlier actions',
  later: 'Later actions',
  openAll: 'All open',
  events: 'People and events',
  moves: 'All actions',
  noEvents: 'This file records no events',
  initial: 'Initial position',
  missing: {
    heading: 'Some data is missing in this file',
    identities: (n: number) => `${n} pieces have no identity and are shown face down.`,
    people: 'There are no nicknames and no events about people.',
  },
  broken: (n: number, text: string) => `From step ${n} on nothing can be shown: ${text}.`,
  why: {
    NOT_A_PIECE: (at: string) => `there is no piece on ${at}`,
    NOT_ITS_TURN: (at: string) => `the piece on ${at} is not the acting seat’s`,
    ILLEGAL: (at: string) => `${at} is not a legal move`,
    WRONG_ROUTE: (at: string) => `the route recorded for ${at} is not the rules’`,
    WRONG_OUTCOME: (at: string) => `the outcome recorded on ${at} is not the rules’`,
    WRONG_IDENTITY: (at: string) => `the identity recorded on ${at} contradicts the initial position`,
    WRONG_REMOVAL: (at: string) =>
      `the pieces that leave the board at ${at} are not those that the rules take`,
    WRONG_REVEAL: (at: string) => `the flags shown or captured at ${at} are not those of the rules`,
    WRONG_ELIMINATION: (at: string) => `the elimination of ${at} contradicts the board`,
    WRONG_END: (_at: string) => 'the end contradicts the board',
    WRONG_TURN: () => 'a clock is not the one that the rules start',
    WRONG_PERSON: () => 'somebody else sits there, or nobody',
    OUT_OF_PLACE: () => 'nothing of the kind can happen then',
    WRONG_VOTE: () => 'the vote on the draw comes out otherwise',
    WRONG_SETTLEMENT: () => 'the settlement is not that of the rules',
    UNFINISHED: () => 'the record stops before the match ends',
    OUT_OF_ORDER: () => 'the numbers or instants of the events are out of order',
    AFTER_END: () => 'something happens after the end',
    UNKNOWN_RESULT: (at: string) => `the outcome of the battle on ${at} is not recorded`,
  },
  fault: {
    TOO_LARGE: () => `The file is larger than 10 MiB and was not read.${wrong}`,
    NOT_UTF8: () => `The file is not UTF-8 text: damaged, or no replay.${wrong}`,
    NOT_JSON: (where: string) =>
      `The file is not valid JSON${where && ` at line ${where.replace(':', ', column ')}`}.${wrong}`,
    TOO_DEEP: () => `The file is nested deeper than 32 levels and was not read.${wrong}`,
    NOT_A_REPLAY: () => `This is no replay: "format": "yibu-replay" is missing.${wrong}`,
    VERSION: (where: string) =>
      `Unknown version${where && `: ${where}`}. Versions 1 and 2 can be read. If a newer version saved it, reload this page and try again.`,
    FIELD: (where: string) => `${where} is missing or not valid.${hurt}`,
    EXTRA: (where: string) => `${where} does not belong in such a file.${hurt}`,
    POSITION: (where: string) => `${where} is no position of the board.${hurt}`,
    PIECE: (where: string) => `${where} is no known piece.${hurt}`,
    TOO_MANY: (where: string) => `${where} has more than 25 pieces.${hurt}`,
    FORMATION: (where: string) => `${where} is no legal formation: a wrong number or place.${hurt}`,
    COUNT: (where: string) =>
      `${where} does not fit the events of the file: something is missing, or was changed.${hurt}`,
    TWICE: (where: string) => `${where} holds two pieces.${hurt}`,
  },
  keyHelp: 'Space plays or stops, left and right step, Home and End jump',
  takenOver: (name: string) => `${name} takes over`,
};
