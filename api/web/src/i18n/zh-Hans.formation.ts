// 导入阵型的词句，选了文件才读取。
import type { Piece } from '../api/generated.ts';
import { names } from './zh-Hans.names.ts';

const now = '没有使用；请改好文件，或另选一个。';

/** 阵型文件哪里不对。 */
export const formation = {
  unreadable: '读不出阵型。请选“导出”存下的 .yibu-formation.json，或 QQ 的 .jql。',
  tooLarge: '文件太大，不像阵型文件，请另选一个。',
  notJson: `文件不完整：不是合格的 JSON。${now}`,
  version: (version: string) => `阵型文件的版本是 ${version}，这里只读版本 1。请用“导出”另存一份。`,
  total: (n: number) => `文件里有 ${n} 枚棋子，应为 25 枚。${now}`,
  piece: (n: number, name: string) => `第 ${n} 枚“${name}”不是认识的棋子。${now}`,
  place: (n: number, row: string, col: string) => `第 ${n} 枚放在${row}排${col}列，那里不能布子。${now}`,
  twice: (n: number, row: number, col: number) =>
    `第 ${n} 枚放在${row}排${col}列，前面已有一枚在那里。${now}`,
  kind: (piece: Piece, n: number, most: number) => `${names[piece]}有 ${n} 枚，应为 ${most} 枚。${now}`,
};

/** 其余语言须有同样的条目。 */
export type FormationWords = typeof formation;
export default formation;
