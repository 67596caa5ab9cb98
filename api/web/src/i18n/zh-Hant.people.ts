// 排行榜、棋手資料與自己戰績的詞句。
import type { Seat } from '../api/generated.ts';
import type { PeopleWords } from './zh-Hans.people.ts';
import { seats } from './zh-Hant.names.ts';

const people: PeopleWords = {
  leaderboard: '排行榜',
  players: (n: number) => `${n} 人`,
  periods: { ALL_TIME: '總榜', THIRTY_DAYS: '30 天' },
  orders: { POINTS: '按積分', WINS: '按勝局' },
  period: '時間',
  order: '排序',
  nobody: '還沒有人下完一局。第一名虛位以待。',
  rank: '名次',
  name: '暱稱',
  points: '積分',
  wins: '勝',
  losses: '負',
  draws: '和',
  noResults: '無勝負',
  matches: '參局',
  leaves: '離席',
  timeouts: '超時',
  takeovers: '接手',
  more: '再看一些',
  profile: '棋手資料',
  ranked: (n: number) => `第 ${n} 名`,
  unranked: '未上榜',
  missing: '沒有這位棋手',
  house: '陪練由伺服器扮演，不計入排行。',
  record: '我的戰績',
  ledger: '積分流水',
  results: '下過的棋局',
  balance: '餘額',
  causes: { ADJUSTED: '管理員調整', LEFT: '離席', SETTLED: '終局結算', TIMED_OUT: '超時' },
  result: { WIN: '勝', LOSS: '負', DRAW: '和', NO_RESULT: '無勝負' },
  seat: (seat: Seat) => `${seats[seat]}席`,
  takenOver: '接手',
  table: '棋桌',
  noLedger: '積分還沒有變化。下完一局，勝負得分都會記在這裡。',
  nothing: '還沒有下完的棋局。',
  toLobby: '去大廳匹配',
  toBoard: '看排行榜',
};

export default people;
