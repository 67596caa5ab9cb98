// A server of a test's own whose clock the test moves on: it serves all the while, so that hours that pass are no outage.
import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface, type Interface } from 'node:readline';
import { beside } from './servers.ts';

const binary = beside('yibu-clockwork');

/** The server. */
export class Clockwork {
  private constructor(
    private readonly server: ChildProcess,
    private readonly lines: AsyncIterator<string>,
    /** Where it serves. */
    readonly url: string,
  ) {}

  /** Starts one on a free port, with folders of its own and no house players. */
  static async start(): Promise<Clockwork> {
    const server = spawn(binary, { stdio: ['pipe', 'pipe', 'inherit'] });
    const gone = new Promise<never>((_, reject) => server.once('error', reject));
    const read: Interface = createInterface({ input: server.stdout });
    const lines = read[Symbol.asyncIterator]();
    const first = await Promise.race([lines.next(), gone]);
    if (first.done) throw new Error(`${binary} did not start`);
    return new Clockwork(server, lines, first.value);
  }

  /** Lets so many seconds pass. */
  async pass(seconds: number): Promise<void> {
    this.server.stdin?.write(`${seconds}\n`);
    if ((await this.lines.next()).done) throw new Error('the server ended');
  }

  /** Ends it. */
  async stop(): Promise<void> {
    if (this.server.exitCode !== null) return;
    const ended = new Promise((resolve) => this.server.once('exit', resolve));
    this.server.stdin?.end();
    await ended;
  }
}
