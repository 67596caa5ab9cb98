// What forms and addresses carry: tokens of mailed links, whom an administrator looks for, zones to choose from.
import { describe, expect, it } from 'vitest';
import { idIn } from '../src/pages/admin/FindMatch.tsx';
import { wantedPlayer } from '../src/pages/admin/FindPlayer.tsx';
import { tokenIn } from '../src/pages/home/ResetPage.tsx';
import { zones } from '../src/pages/settings/zones.ts';
import { leavePicked, takePicked } from '../src/replay/picked.ts';

const ID = `6d${'0'.repeat(31)}1`;

describe('a mailed link', () => {
  it('carries its token in the fragment', () => {
    expect(tokenIn('#token=abc-_1')).toBe('abc-_1');
    expect(tokenIn('#token=')).toBeNull();
    expect(tokenIn('')).toBeNull();
  });
});

describe('an administrator', () => {
  it('finds a match by its id or its address', () => {
    expect(idIn(` ${ID} `)).toBe(ID);
    expect(idIn(`https://play.example.org/table/${ID}`)).toBe(ID);
  });

  it('finds a player by address, id or nickname', () => {
    expect(wantedPlayer(' a@b.org ')).toEqual({ email: 'a@b.org' });
    expect(wantedPlayer(ID)).toEqual({ id: ID });
    expect(wantedPlayer(`/player/${ID}`)).toEqual({ id: ID });
    expect(wantedPlayer('南山')).toEqual({ nickname: '南山' });
  });
});

describe('zones', () => {
  it('have the chosen one first, each once', () => {
    const list = zones('Asia/Kathmandu');
    expect(list[0]).toBe('Asia/Kathmandu');
    expect(new Set(list).size).toBe(list.length);
    expect(list).toContain(Intl.DateTimeFormat().resolvedOptions().timeZone);
  });
});

describe('a picked replay', () => {
  it('is handed over once', () => {
    const file = new File(['{}'], 'a.json');
    leavePicked(file);
    expect(takePicked()).toBe(file);
    expect(takePicked()).toBeUndefined();
  });
});
