// 匯入陣型的詞句，選了檔案才讀取。
import type { Piece } from '../api/generated.ts';
import type { FormationWords } from './zh-Hans.formation.ts';
import { names } from './zh-Hant.names.ts';

const now = '沒有使用；請改好檔案，或另選一個。';

/** 陣型檔案哪裡不對。 */
const formation: FormationWords = {
  unreadable: '讀不出陣型。請選「匯出」存下的 .yibu-formation.json，或 QQ 的 .jql。',
  tooLarge: '檔案太大，不像陣型檔案，請另選一個。',
  notJson: `檔案不完整：不是合格的 JSON。${now}`,
  version: (version: string) => `陣型檔案的版本是 ${version}，這裡只讀版本 1。請用「匯出」另存一份。`,
  total: (n: number) => `檔案裡有 ${n} 枚棋子，應為 25 枚。${now}`,
  piece: (n: number, name: string) => `第 ${n} 枚「${name}」不是認識的棋子。${now}`,
  place: (n: number, row: string, col: string) => `第 ${n} 枚放在${row}排${col}列，那裡不能布子。${now}`,
  twice: (n: number, row: number, col: number) =>
    `第 ${n} 枚放在${row}排${col}列，前面已有一枚在那裡。${now}`,
  kind: (piece: Piece, n: number, most: number) => `${names[piece]}有 ${n} 枚，應為 ${most} 枚。${now}`,
};
export default formation;
