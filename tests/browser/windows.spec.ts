// The table in every window, in each of its states: arranging, the own turn with a move that waits for a yes, a vote, a
// candidate's view, the end; and in English, whose words are longer.
import { expect, test } from '@playwright/test';
import { gather } from './gather.ts';
import { PEOPLE } from './servers.ts';
import { onTurn, type Seat, type Seated, seated } from './session.ts';
import { agree, at, choose, pickMove, speak } from './table.ts';
import { expectAtOnce, expectFitting } from './windows.ts';

test.use({ baseURL: PEOPLE });
test.setTimeout(240_000);

const isRed = (seat: Seat) => seat === 'S' || seat === 'N';

test('a table in every window and state', async ({ browser }) => {
  const { all, people, eli } = await gather(browser);

  await test.step('arranging', async () => {
    const [{ page }] = people as [Seated];
    await expectFitting(page, 'arranging');
    await page.getByRole('button', { name: '完成调度' }).click();
    await expect(page.getByRole('button', { name: '撤回，再调整' })).toBeVisible();
    await expectFitting(page, 'ready');
    for (const one of people.slice(1)) await one.page.getByRole('button', { name: '完成调度' }).click();
    for (const one of all) await expect(one.page.locator('.table.playing')).toBeVisible();
  });

  const mover = await onTurn(people);
  const other = people.find((one) => one !== mover) as Seated;
  await test.step('the own turn', async () => {
    const { page } = mover;
    await expect(page.locator('.toast')).toHaveCount(0);
    await expectFitting(page, 'own turn');
    await expectAtOnce(page, 'own turn');
    await speak(page, 'en');
    await expectFitting(page, 'own turn in English');
    await speak(page, 'zh-Hans');
    await at(mover, await pickMove(mover)).click({ force: true });
    await expect(page.locator('.confirming')).toContainText('→');
    await expectFitting(page, 'a move that waits');
    await expectAtOnce(page, 'a move that waits');
    await page.getByRole('button', { name: '放下' }).click();
  });

  await test.step('a vote', async () => {
    await mover.page.getByRole('button', { name: '求和' }).click();
    await agree(mover, '求和');
    await expect(mover.page.locator('.news')).toContainText('你已求和，等其他人答复');
    await expectFitting(mover.page, 'an own offer');
    const { page } = other;
    await expect(page.locator('.card.vote .row button')).toHaveCount(2);
    // Whose clock runs sits at each of the other arms in turn.
    for (const one of people) if (one !== mover) await expectFitting(one.page, `a vote, seen by ${one.seat}`);
    await expectAtOnce(page, 'a vote');
    await page.context().setOffline(true);
    await expect(page.locator('.lost')).toBeVisible();
    await expectFitting(page, 'a vote without a connection');
    await page.context().setOffline(false);
    await expect(page.locator('.lost')).toHaveCount(0, { timeout: 60_000 });
    await choose(other, '文字模式');
    await expect(page.locator('.text-board')).toBeVisible();
    for (const fold of await page.locator('.text-board details summary').all()) await fold.click();
    await expectFitting(page, 'text mode');
    await choose(other, '图形棋盘');
  });

  const succeeded = await test.step('a candidate', async () => {
    await choose(mover, '离席');
    await agree(mover, '确认离席，扣 9 分');
    const { page } = eli;
    await page.getByRole('button', { name: '匹配残局' }).click();
    await expect(page.getByRole('button', { name: '正式接手' })).toBeVisible();
    await expectFitting(page, 'a candidate');
    await expectAtOnce(page, 'a candidate');
    await page.getByRole('button', { name: '正式接手' }).click();
    await agree(eli, '正式接手');
    await expect(page.locator('.status.own')).toBeVisible();
    const now = await seated(eli);
    return people.map((one) => (one === mover ? now : one));
  });

  await test.step('the end, with what to do next', async () => {
    const winner = succeeded.find(({ name }) => name === eli.name) as Seated;
    for (const one of succeeded.filter(({ seat }) => isRed(seat) !== isRed(winner.seat))) {
      await choose(one, '投降');
      await agree(one, '投降');
      await expect(one.page.locator('.seat.mine.out, .table.ended').first()).toBeVisible();
    }
    const { page } = winner;
    await expect(page.locator('.status')).toContainText('你赢了');
    await expect(page.locator('.card.ended table')).toBeVisible();
    await expect(page.locator('.save button')).toBeEnabled();
    await page.setViewportSize({ width: 1280, height: 720 });
    const list = await page.locator('.log ol').boundingBox();
    expect(list?.height, 'the actions after the end').toBeGreaterThanOrEqual(8 * 32);
    await expectFitting(page, 'the end');
    await expectAtOnce(page, 'the end');
    await speak(page, 'en');
    await expect(page.locator('.card.ended')).toContainText('You won');
    await expectFitting(page, 'the end in English');
    const bar = page.locator('.bars');
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Save replay' }).click(),
    ]);
    expect(download.suggestedFilename()).toMatch(/\.yibu-replay\.json$/);
    await bar.getByRole('button', { name: 'New game' }).click();
    await expect(page.locator('.table.assembling')).toBeVisible();
    await page.goBack();
    await bar.getByRole('link', { name: 'My record' }).click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('My record');
    await expect(page.locator('.lines-list').first()).toContainText('You won');
    await expect(page.locator('.lines-list').first()).toContainText('the other side');
  });
  for (const { page } of [...all, eli]) await page.context().close();
});
