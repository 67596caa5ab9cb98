// The commander's manual, English. Section by section the same as the Chinese one.
import type { Section } from './blocks.ts';

const manual: Section[] = [
  {
    id: 'start',
    title: 'Four steps to your first move',
    body: [
      '“Four-dark” means that during a match everybody sees the identities of the own pieces only. Your team-mate’s pieces are hidden from you as well; a flag that the rules have made public is the one exception. A formal match has four people in two teams, and team-mates sit opposite each other.',
      {
        steps: [
          'Have an account. Register or log in on the home page. Registering needs a mail address that you use and the code that is mailed to it; no ordinary account is made without a verified address.',
          'Choose “New game”. The system picks table and seat at random; you choose neither team-mate, opponent nor seat. You start with a random legal formation.',
          'Arrange it. Check and rearrange your pieces, or import a formation file, then choose “Ready”. Only when all four seats are ready does the match start and the clock run; who moves first is drawn at random. Until then you may take the ready back.',
          'Move when it is your turn. Pick one of your pieces, then its target. A move counts when the server’s board shows it, not when you have clicked or seen it slide.',
        ],
      },
    ],
  },
  {
    id: 'takeover',
    title: 'Playing on for somebody else',
    body: [
      '“Takeover” offers no composed problems: these are running matches in which a seat has fallen vacant. You are only matched with a vacant seat whose turn it is and whose 8 hours of waiting are not over.',
      'At first you are a candidate: you see the public board and the public actions. You hold no seat, cannot move, and do not see hidden identities. When you are willing, choose “Take over”; the first confirmation that reaches the server wins.',
      {
        list: [
          'Many candidates may look at the same seat.',
          'You have one takeover chance per match, shared by all its vacant seats. Withdrawing or losing the race does not give it back.',
          'Being a candidate costs no points and counts in no statistics. There is no further deadline for deciding, but you cannot go beyond the table’s takeover deadline.',
          'Closing the page does not withdraw you.',
          'Whoever takes over plays on as the board stands: no new formation, and a fresh count of 5 skips.',
        ],
      },
    ],
  },
  {
    id: 'clock',
    title: 'Time: 16, 3 and 8 hours',
    body: [
      'Nobody has to be online together; you only have to be back in time when it is your turn. The time is for each turn, not for the match, and is not shared with your team-mate.',
      {
        facts: [
          [
            'A normal turn: 16 hours',
            'from the moment the turn reaches the seat; after the move the next seat’s 16 hours begin. The first turn counts from the start.',
          ],
          [
            'The first move after a takeover: 3 hours',
            'from the takeover, since the seat taken over is the one on turn; later turns have 16 hours again.',
          ],
          [
            'Waiting for a takeover: 8 hours',
            'only when it is a vacant seat’s turn; other vacant seats do not hold up play. Candidates who look, withdraw or compete neither restart nor extend it.',
          ],
        ],
      },
      'These times are part of each match’s rules; no page lets players or administrators change them. The deadline at the table is shown in your own time zone. Rely on it: “when I have time” is not “whenever”.',
      'When the server is down for more than a minute, every open deadline moves by the length of the outage, and the record of actions says so.',
    ],
  },
  {
    id: 'seats',
    title: 'Seats are fixed, people may change',
    body: [
      'South, East, North and West are the fixed seats of a table; South and North are Red, East and West are Blue. Neither a change of person nor turning the view changes seats, sides or the record. Turns go South, East, North, West; eliminated seats are passed over.',
      'When somebody leaves, table and pieces stay. If nobody takes a vacant seat over within 8 hours of its turn, the match ends without result: whoever still sits there neither gains nor loses, and points already lost by leaving or timing out stay lost.',
    ],
  },
  {
    id: 'limits',
    title: 'How many matches at once',
    body: [
      'Full matches and takeovers are counted apart, 5 each by default, not 5 together. An administrator can set each to 0 … 100; 0 only stops new matches of that kind and ends none. The lobby shows the limits and your counts; what it shows holds. A match in which your seat is eliminated no longer counts.',
      'You may match at most 20 times an hour. A seat that is not ready 48 hours after the fourth person sat down is released.',
    ],
  },
  {
    id: 'leaving',
    title: 'Leaving, surrender, draw, skip',
    body: [
      {
        facts: [
          [
            'Leaving before the start',
            'frees the seat, nothing else: no points, no loss, and you may match again.',
          ],
          [
            'Leaving or timing out after the start',
            'costs you 9 points, and you cannot come back to this match. When both of a side have gone like this, each has lost 9, everybody still seated on the other side gains 3, and the match ends.',
          ],
          [
            'Surrender',
            'eliminates your own seat and removes its pieces; the seat does not become vacant. You are settled by the result on the board, unlike a leaver: if your team-mate wins, you have won too.',
          ],
          [
            'Team surrender',
            'needs both team-mates seated: one proposes, the other agrees, and the match ends. Each of the two loses 3; the others neither gain nor lose. Only your own side sees the proposal.',
          ],
          [
            'Draw',
            'may be offered on your turn, once per turn. Everybody else who still plays has to accept. Points do not change, and the clock goes on meanwhile.',
          ],
          [
            'Skip',
            'passes your turn, at most 5 times per person and match; the next seat’s clock starts anew.',
          ],
        ],
      },
    ],
  },
  {
    id: 'pieces',
    title: 'Pieces and formation',
    body: [
      'Each seat has 25: commander 1, general 1, major general 2, brigadier 2, colonel 2, major 2, captain 3, lieutenant 3, engineer 3, bomb 2, mine 3, flag 1.',
      'Tiles are too small for these names. Large ones carry three letters, small ones the strength or one letter: commander Cmd or 9, general Gen or 8, major general MjG or 7, brigadier Brg or 6, colonel Col or 5, major Maj or 4, captain Cpt or 3, lieutenant Ltn or 2, engineer Eng or 1, bomb Bmb or B, mine Min or M, flag Flg or F. “My pieces” at the table shows the short signs, too.',
      {
        list: [
          'The flag stands in one of your two headquarters.',
          'Mines stand in the two rows nearest to you.',
          'Bombs may not stand in the front row.',
          'One piece per position; camps start empty. The server checks the formation before you can be ready, and names every broken rule and its position.',
        ],
      },
      'A formation can be exported as .yibu-formation.json and imported again; QQ’s .jql and some text layouts are read as well. The list of saved formations stays in this browser.',
    ],
  },
  {
    id: 'board',
    title: 'Roads, railways, camps, headquarters',
    body: [
      {
        list: [
          'Thin lines are roads: one step at a time. Each camp also has roads to its four corners; nowhere else can you go diagonally.',
          'Thick dark lines are railways: go as far as nothing is in the way; nobody jumps. Ordinary pieces do not turn right angles, but may follow the arc to the neighbouring area; at the ends of the front row, straight on into the palace and along the arc are both straight on.',
          'Engineers turn freely on railways, and do not jump either.',
          'Flags and mines never move; a piece in any headquarters never moves again.',
          'Anybody may enter an empty camp; a piece in a camp cannot be attacked. Your own and your team-mate’s pieces cannot be attacked.',
          'The nine positions in the middle are the nine palace: all on rails, and you may stop on each.',
        ],
      },
      'Positions have one name everywhere: whose area, which row, which column, as in “South 3-2”. Rows count from the front row, which faces the middle, 1 to 6; columns from that seat’s own left hand, 1 to 5. The nine palace goes by directions, as in “palace centre” or “palace NE”. The name tells the area, whosever the piece is and however the view is turned.',
    ],
  },
  {
    id: 'battle',
    title: 'Who stays when pieces meet',
    body: [
      'Strong to weak: commander, general, major general, brigadier, colonel, major, captain, lieutenant, engineer. The stronger stays, the weaker goes; equals both go.',
      {
        facts: [
          ['Bomb', 'whatever it meets, both go, mines and flags included; bombing a flag captures it.'],
          [
            'Mine',
            'an engineer clears it and stays; with a bomb both go; any other attacker goes and the mine stays.',
          ],
          [
            'Flag',
            'an ordinary piece that attacks it stays, the flag is captured and its seat eliminated. The capturing piece remains in that headquarters.',
          ],
          ['The commander falls', 'and the position of that seat’s flag becomes public.'],
        ],
      },
      'A battle makes public who stays, and not what the two pieces are. The list of actions writes a move as “South 3-2 → West 1-4”, and its result in these words.',
      {
        facts: [
          ['takes', 'the attacker stays, the other piece goes.'],
          ['falls', 'the attacker goes, the other piece stays.'],
          ['both go', 'neither stays.'],
          ['captures a flag', 'as in “captures East’s flag”; that seat is eliminated at once.'],
          ['a flag is shown', 'the commander fell, and where the flag stands is public.'],
        ],
      },
    ],
  },
  {
    id: 'end',
    title: 'Elimination and the end',
    body: [
      'A seat is eliminated when its flag is captured, its person surrenders, or it has no legal move on its turn; all its remaining pieces leave the board, from camps too. When both seats of a side are eliminated, the other side wins. When no seat that is still active can move, there is no result.',
    ],
  },
  {
    id: 'points',
    title: 'Points at a glance',
    body: [
      {
        facts: [
          ['Win on the board', '+3; +4 after joining by takeover'],
          ['Loss on the board', '−3; −2 after joining by takeover'],
          ['Leaving or timing out', '−9 at once'],
          ['Both of the other side gone', '+3 for each still seated'],
          ['Team surrender', '−3 for each of the two; 0 for the others'],
          ['Draw, no result', '0'],
        ],
      },
      'There is one kind of points. It starts at 0 and may go below.',
    ],
  },
  {
    id: 'replay',
    title: 'Replays: records that you keep',
    body: [
      'A replay file holds one match: initial position, moves, settlement. It lies on your device and can be backed up; you may have as many as you like. The browser’s cache is no substitute for the file.',
      {
        steps: [
          'Save it after the end: above the table’s list of actions (on phones below the board) choose “Save replay”; a .yibu-replay.json is downloaded. The home page offers importing alone.',
          'Import it on the home page. It is read on your device, not uploaded and put into no library; at most 10 megabytes a file. It works logged out and without a network.',
          'Look by step or by event: play, stop, single steps, any position; stopping keeps the board. The list shows changes of people and important events, and a click goes there. The nickname shown is that of whoever sat there then.',
        ],
      },
      'During a match you can pick a hidden piece of somebody else and put a mark on it that you alone see, of at most 40 characters, a colour, or both. It says nothing true about the piece, is not inherited by whoever takes your seat over, and does not enter the replay.',
      'A running match and its list of actions always hide identities; they cannot be used to look at others’ pieces. The ordinary table page stays dark after the end as well.',
      'A complete replay, version 2, has the identities of all 25 pieces of all four seats, real routes and battles, participants and changes of seats, and the settlement. Everything is open at first; the button with a nickname, or a double click on a piece, hides or shows that side; you can take anybody’s view and turn the board. None of this touches a running match.',
      'Older files, version 1, can be read, but may lack nicknames, people or identities. The page says what is missing and makes nothing up. A file that contradicts the rules is shown up to the contradiction, with the reason.',
    ],
  },
  {
    id: 'keeping',
    title: 'Save in time',
    body: [
      'Everybody who really took part (leavers and takeovers too, mere candidates not) is sent a mail with the complete replay, to the address that is verified at that time. Whether it arrives depends on this site’s mail set-up and your provider; it is not guaranteed.',
      'The record of a finished match and its mails are kept for 3 days from the settlement, then cleared automatically; an undelivered mail does not prolong that. After that players cannot get the record any more; the sealed log is kept for audits alone. Points, statistics and files that you downloaded are not affected.',
    ],
  },
  {
    id: 'account',
    title: 'Account and personal data',
    body: [
      'Registering needs a verified address.',
      'The settings change nickname, address and password. A nickname can be changed at most twice within any 365 days, not per calendar year. Changing address or password needs the current password, and a new address has to be verified; this device stays logged in, all others are logged out.',
      'Logging out ends the login only; your seats stay. For a forgotten password the login page mails a link to your address; it works once, and afterwards every device has to log in again.',
      'The settings also list the devices that are logged in and end them, export your own data, and delete the account. Deleting leaves all matches first (running ones at the price of leaving), then erases address, nickname and settings, and cannot be undone; points and results stay without a name.',
      'Address, password and other personal data never enter the record of a match; it holds a number that says nothing about you.',
    ],
  },
  {
    id: 'mail',
    title: 'Reminders and mail',
    body: [
      'Turn mails are “smart” by default, in Beijing time, all day. You can choose smart, deadline only, or off, and set the hours and the time zone. Equal start and end mean all day; 22:00 to 08:00 spans the night.',
      {
        facts: [
          [
            'Normal turn mails',
            'are not sent at once but after 15 minutes by default (an administrator can set 1 to 1440). Several tables share one mail, two mails are at least 2 hours apart, at most 3 a day in your time zone.',
          ],
          [
            'Deadline mails',
            'are sent with less than 1 hour left; they do not count among the 3, but keep to your hours and to 15 minutes from the mail before. “Deadline only” sends just these.',
          ],
          [
            'On the page and in the browser',
            'a normal turn: with 4 hours and 1 hour left; the first move after a takeover: with 1 hour left; a takeover wait: with 4 hours and 1 hour left. Browser notifications need the page open and your permission; they are no offline push.',
          ],
        ],
      },
      'Only really having your own current turn open on a visible page cancels that turn’s normal mail; the deadline mail stays. Logging in, the home page or a refresh in the background do not count as seen.',
      'Outside your hours a mail waits for the next allowed time and is checked again; if the turn has run out by then, you are told the result instead of being reminded. Switching turn mails off does not affect codes and security mails, which do not wait for your hours either.',
    ],
  },
  {
    id: 'honest',
    title: 'Said plainly',
    body: [
      {
        list: [
          'Formal matches are four-dark only. There is no half-open or open play, and no choice of team-mate or seat; hiding and showing in a replay does not change that.',
          'There is no collection of composed endgames. “Takeover” is for vacant seats on turn in running matches.',
          'Whether mail arrives depends on this site’s set-up, which this page cannot check or promise. Without working mail, ordinary registration cannot be completed either.',
          'There is no push by WeChat, Feishu or a phone app, and nothing reaches you when the page is closed.',
          'The rules are this site’s. Whether special railway cases and details agree with other platforms everywhere has not been verified one by one in play; this manual claims no platform’s approval.',
          'Automatic tests do not replace whole matches of four real people and trials on all kinds of real phones.',
          'Formations and downloaded replays are not synchronised between devices, and the server does not keep finished records for long.',
        ],
      },
      'That is all: back to the table. Move at your own pace, and leave the next player a clear clock.',
    ],
  },
];

export default manual;
