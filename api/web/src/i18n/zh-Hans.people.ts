// 排行榜、棋手资料与自己战绩的词句。
import type {
  LeaderboardOrder,
  LeaderboardPeriod,
  MatchResult,
  PointsCause,
  Seat,
} from '../api/generated.ts';
import { seats } from './zh-Hans.names.ts';

/** 棋手。 */
export const people = {
  leaderboard: '排行榜',
  players: (n: number) => `${n} 人`,
  periods: { ALL_TIME: '总榜', THIRTY_DAYS: '30 天' } as Record<LeaderboardPeriod, string>,
  orders: { POINTS: '按积分', WINS: '按胜局' } as Record<LeaderboardOrder, string>,
  period: '时间',
  order: '排序',
  nobody: '还没有人下完一局。第一名虚位以待。',
  rank: '名次',
  name: '昵称',
  points: '积分',
  wins: '胜',
  losses: '负',
  draws: '和',
  noResults: '无胜负',
  matches: '参局',
  leaves: '离席',
  timeouts: '超时',
  takeovers: '接手',
  more: '再看一些',
  profile: '棋手资料',
  ranked: (n: number) => `第 ${n} 名`,
  unranked: '未上榜',
  missing: '没有这位棋手',
  house: '陪练由服务器扮演，不计入排行。',
  record: '我的战绩',
  ledger: '积分流水',
  results: '下过的棋局',
  balance: '余额',
  causes: { ADJUSTED: '管理员调整', LEFT: '离席', SETTLED: '终局结算', TIMED_OUT: '超时' } as Record<
    PointsCause,
    string
  >,
  result: { WIN: '胜', LOSS: '负', DRAW: '和', NO_RESULT: '无胜负' } as Record<MatchResult, string>,
  seat: (seat: Seat) => `${seats[seat]}席`,
  takenOver: '接手',
  table: '棋桌',
  noLedger: '积分还没有变化。下完一局，胜负得分都会记在这里。',
  nothing: '还没有下完的棋局。',
  toLobby: '去大厅匹配',
  toBoard: '看排行榜',
};

/** 其余语言须有同样的条目。 */
export type PeopleWords = typeof people;
export default people;
