// Where the servers of these tests are. Tests of one worker run one after the other; each worker has servers of its own,
// so that nobody is matched with people of another test. `YIBU_URL` names a server that runs already and stands in for
// all, `YIBU_BIN` the server's binary, `YIBU_PORT` the first port of many.
import { execFileSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** Runs already; undefined when the tests start servers of their own. */
export const RUNNING = process.env.YIBU_URL;
/** How many workers. One worker leaves half of a small machine idle. */
export const WORKERS = RUNNING ? 1 : 2;

/** The server's binary. */
export const BINARY = process.env.YIBU_BIN ?? join(import.meta.dirname, '../../target/debug/yibu');
/** Another binary that was built beside it. */
export const beside = (name: string) => join(dirname(BINARY), name);

// Workers read this file again: the folder is made once.
if (!RUNNING) process.env.YIBU_BROWSER_DATA ??= mkdtempSync(join(tmpdir(), 'yibu-browser-'));
const data = process.env.YIBU_BROWSER_DATA;
const port = Number(process.env.YIBU_PORT ?? 8471);
const own = Number(process.env.TEST_PARALLEL_INDEX ?? 0);

const at = (offset: number) => `http://127.0.0.1:${port + offset}`;
const house = (worker: number) => RUNNING ?? at(2 * worker);
const people = (worker: number) => RUNNING ?? at(2 * worker + 1);
const folder = (worker: number) => join(data ?? '', `house-${worker}`);

/** With house players, who fill tables within seconds. */
export const HOUSE = house(own);
/** People alone: a vacant seat waits for whoever the test sends. */
export const PEOPLE = people(own);

/** What Playwright starts for a worker. */
export const serversOf = (worker: number) =>
  [
    { url: house(worker), folder: folder(worker), company: '--think 60' },
    { url: people(worker), folder: join(data ?? '', `people-${worker}`), company: '--no-house' },
  ].map(({ url, folder, company }) => ({
    command: `${BINARY} serve --dev ${company} --data ${folder} --listen ${new URL(url).host}`,
    url: `${url}/health/ready`,
  }));

/** Makes somebody an administrator of the server with house players; its folder must be ours. */
export const grant = (email: string) => execFileSync(BINARY, ['admin', '--data', folder(own), 'grant', email]);
