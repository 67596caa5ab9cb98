// Time passes at a server of the test's own, hours at once and without an outage: notices before a turn runs out, the
// time-out on every page, the wait for a successor; and matches that end without anybody giving up.
import { type Browser, expect, test } from '@playwright/test';
import { Clockwork } from './clockwork.ts';
import { dice } from './dice.ts';
import { leaks } from './leaks.ts';
import { type Person, person, register, sit } from './people.ts';
import { onTurn, playBySession, type Seat, type Seated, seated } from './session.ts';
import { agree, choose, play } from './table.ts';

const SEATS: Record<Seat, string> = { S: '南', E: '东', N: '北', W: '西' };
const MATES: Record<Seat, Seat> = { S: 'N', N: 'S', E: 'W', W: 'E' };

test.setTimeout(240_000);

let server: Clockwork;
test.beforeAll(async () => {
  server = await Clockwork.start();
});
test.afterAll(() => server.stop());

/** Somebody who has just registered at that server. */
async function guest(browser: Browser, device: 'desktop' | 'phone', name: string): Promise<Person> {
  const one = await person(browser, device, name, { baseURL: server.url, reducedMotion: 'reduce' });
  await register(one);
  return one;
}

/** Lets hours pass. Pages show the server's time as soon as it sends them something. */
const pass = (hours: number) => server.pass(Math.round(hours * 3_600));

/** Asserts what the bell's list says, and of which of these notices it says that they are over. */
async function expectTold({ page }: Person, news: string, over: readonly string[] = []): Promise<void> {
  await expect(page.locator('.bell .count')).toBeVisible();
  await page.locator('.bell > button').click();
  await expect(page.locator('.bell-panel')).toBeFocused();
  const line = (text: string) => page.locator('.bell-panel .notice-line', { hasText: text }).first();
  await expect(line(news)).toHaveClass(/new/);
  for (const text of over) {
    await expect(line(text)).toHaveClass(/done/);
    await expect(line(text)).toContainText('已过');
    await expect(line(text)).not.toContainText('未读');
  }
  await page.keyboard.press('Escape');
  await expect(page.locator('.bell-panel')).toHaveCount(0);
}

/** Four sit down at one table and begin. */
async function begin(all: readonly Person[]): Promise<Seated[]> {
  for (const { page } of all) await page.goto('/lobby');
  await Promise.all(all.map(sit));
  const people = await Promise.all(all.map(seated));
  expect(new Set(people.map(({ match }) => match)).size).toBe(1);
  for (const { page } of all) await page.getByRole('button', { name: '完成调度' }).click();
  for (const { page } of all) await expect(page.locator('.table.playing')).toBeVisible();
  return people;
}

/** Asserts that every page shows this end with these points. */
async function expectEnd(pages: readonly Person[], how: string, points: [Person, string][]): Promise<void> {
  for (const { page } of pages) {
    const card = page.locator('.card.ended');
    await expect(card).toContainText(how);
    await expect(card.locator('tr')).toHaveCount(points.length);
    for (const [one, told] of points)
      await expect(card.locator('tr', { hasText: one.name })).toContainText(told);
    const below = ({ scrollHeight, scrollTop, clientHeight }: Element) =>
      scrollHeight - scrollTop - clientHeight;
    const list = page.locator('.log ol');
    await expect
      .poll(() => list.evaluate(below), { message: 'the end of the list is in sight' })
      .toBeLessThan(2);
  }
}

test('turns run out, somebody succeeds, and matches end in other ways than by giving up', async ({
  browser,
}) => {
  const chance = dice('time passes');
  const all = await Promise.all([
    guest(browser, 'desktop', 'Gil'),
    guest(browser, 'phone', 'Hua'),
    guest(browser, 'desktop', 'Ivo'),
    guest(browser, 'desktop', 'Jin'),
  ]);
  const kai = await guest(browser, 'desktop', 'Kai');
  const everybody = [...all, kai];

  const people = await begin(all);
  await playBySession(people, chance, 5);
  const late = await onTurn(people);
  const others = people.filter((one) => one !== late);

  await test.step('four hours and one hour before, who is on turn is told', async () => {
    await pass(12.1);
    await expectTold(late, '还剩 4 小时，轮到你走');
    await late.page.reload();
    await expect(late.page.locator('.status .clock')).toHaveText(/^3:5\d:/);
    await pass(3);
    await expectTold(late, '只剩 1 小时，轮到你走');
    await late.page.reload();
    await expect(late.page.locator('.status .due.soon .clock')).toHaveText(/^0:5\d:/);
  });

  await test.step('the time-out is shown to everybody', async () => {
    await pass(1);
    for (const { page } of people) {
      await expect(page.locator('.log .line', { hasText: '超时' })).toHaveCount(1);
      await expect(page.locator('.status')).toContainText(`${SEATS[late.seat]}方空席`);
      await expect(page.locator(`.seat.side-${late.seat}.vacant`)).toContainText('空席');
      await expect(page.locator('.status .clock')).toHaveText(/^7:5\d:/);
    }
    await expect(late.page.locator('.bar .hint')).toContainText('你已离开本局');
    await expect(late.page.locator('.piece.open, .own-pieces, .nodes .can')).toHaveCount(0);
    await expectTold(late, '你超时了，已离开本局', ['只剩 1 小时，轮到你走', '还剩 4 小时，轮到你走']);
    for (const one of others) await expectTold(one, '有人离席，席位空出');
    await late.page.goto('/record');
    await expect(late.page.locator('main')).toContainText('超时');
    await expect(late.page.locator('main')).toContainText(/[−-]9/);
  });

  await test.step('those who sit there are told how long the seat waits, and a fifth takes it over', async () => {
    await pass(4.1);
    for (const one of others) await expectTold(one, '空席等待接手，还剩 4 小时');
    const { page } = kai;
    await page.getByRole('button', { name: '匹配残局' }).click();
    await page.getByRole('button', { name: '正式接手' }).click();
    await agree(kai, '正式接手');
    await expect(page.locator('.status.own .clock')).toHaveText(/^(3:00|2:59):/);
    for (const one of others) {
      await expect(one.page.locator('.log')).toContainText('正式接手');
      await expect(one.page.locator(`.seat.side-${late.seat}`)).toContainText(kai.name);
      await expectTold(one, '空席已有人正式接手', ['空席等待接手，还剩 4 小时']);
    }
    await play(await seated(kai));
  });

  await test.step('another turn runs out, nobody comes, and it ends without a result', async () => {
    const gone = await onTurn(others);
    await pass(16.1);
    await expect(gone.page.locator('.bar .hint')).toContainText('你已离开本局');
    // The board stays as the person sat at it.
    await expect(gone.page.locator('.board')).toHaveAttribute(
      'aria-label',
      RegExp(`${SEATS[gone.seat]}方在下`),
    );
    await pass(8);
    const stay = [...others.filter((one) => one !== gone), kai];
    await expectEnd(
      [...stay, gone],
      '无胜负',
      stay.map((one) => [one, '±0']),
    );
    for (const one of stay) await expectTold(one, '棋局结束');
  });

  await test.step('a draw that all agree to', async () => {
    const table = await begin(all);
    await playBySession(table, chance, 4);
    const asks = await onTurn(table);
    const answer = table.filter((one) => one !== asks);
    await asks.page.getByRole('button', { name: '求和' }).click();
    await agree(asks, '求和');
    for (const { page } of answer) {
      await page.locator('.card.vote').getByRole('button', { name: '同意', exact: true }).click();
      await expect(page.locator('.card.vote').getByRole('button')).toHaveCount(0);
    }
    await expectEnd(
      table,
      '和棋',
      table.map((one) => [one, '±0']),
    );
    for (const one of answer) await expectTold(one, '棋局结束', ['有人求和，等你答复', '棋局开始了']);
  });

  await test.step('one of a side runs out of time, the other leaves: the other side wins', async () => {
    const table = await begin(all);
    await playBySession(table, chance, 4);
    const first = await onTurn(table);
    await pass(16.1);
    await expect(first.page.locator('.bar .hint')).toContainText('你已离开本局');
    const mate = table.find(({ seat }) => seat === MATES[first.seat]) as Seated;
    await expect(mate.page.locator('.status')).toContainText('空席');
    await choose(mate, '离席');
    await agree(mate, '确认离席，扣 9 分');
    const winners = table.filter((one) => one !== first && one !== mate);
    const points = winners.map((one): [Person, string] => [one, '+3']);
    await expectEnd(winners, '你赢了，对方', points);
    await expectEnd([first, mate], '获胜，', points);
  });

  for (const { received, name } of everybody) expect(leaks(received), name).toEqual([]);
  for (const { page } of everybody) await page.context().close();
});
