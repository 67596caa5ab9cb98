// A wire between browsers and the server whose web sockets can be cut without a word, as bad networks do. Requests pass.
// All connections of now can be forgotten: they stay open and carry nothing more, as when a phone changes its network.
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** How a socket is lost: at once, when the server says the next thing, or as soon as it has come back. */
export type Cut = 'now' | 'speaking' | 'greeting';

interface Line {
  browser: Socket;
  server: Socket;
  /** Whether the server has answered. */
  open: boolean;
  doomed: boolean;
}

/** The wire. */
export class Wire {
  /** How many sockets were cut. */
  cuts = 0;
  private readonly lines = new Set<Line>();
  private readonly sockets = new Set<Socket>();
  private readonly forgotten = new Set<Socket>();
  private unwelcome = 0;

  private constructor(
    private readonly listener: Server,
    private readonly target: URL,
  ) {
    listener.on('connection', (browser) => this.carry(browser));
  }

  /** Opens a wire to a server. */
  static async to(address: string): Promise<Wire> {
    const listener = createServer();
    await new Promise<void>((done) => listener.listen(0, '127.0.0.1', done));
    return new Wire(listener, new URL(address));
  }

  /** The address for browsers. */
  get url(): string {
    return `http://127.0.0.1:${(this.listener.address() as AddressInfo).port}`;
  }

  /** How many web sockets are open and shall stay so. */
  get open(): number {
    return [...this.lines].filter((line) => line.open && !line.doomed).length;
  }

  /** How many cuts are still to come. */
  get pending(): number {
    return this.unwelcome + [...this.lines].filter((line) => line.doomed).length;
  }

  /** Loses one of the open sockets; `which` takes one of so many. */
  cut(how: Cut, which: (below: number) => number): void {
    const whole = [...this.lines].filter((line) => line.open && !line.doomed);
    const line = whole[which(whole.length)];
    if (!line) return;
    if (how === 'speaking') line.doomed = true;
    else this.lose(line);
    if (how === 'greeting') this.unwelcome += 1;
  }

  /** Lets all connections of now carry nothing more, without a word; new ones pass. */
  forget(): void {
    for (const socket of this.sockets) this.forgotten.add(socket);
  }

  /** Takes everything down. */
  close(): void {
    this.listener.close();
    for (const socket of this.sockets) socket.destroy();
  }

  private carry(browser: Socket): void {
    const server = connect(Number(this.target.port), this.target.hostname);
    for (const [socket, other] of [
      [browser, server],
      [server, browser],
    ] as const) {
      this.sockets.add(socket);
      socket.on('error', () => other.destroy());
      socket.on('close', () => {
        this.sockets.delete(socket);
        this.forgotten.delete(socket);
        other.destroy();
      });
    }
    let line: Line | null = null;
    browser.on('data', (chunk) => {
      if (this.forgotten.has(browser)) return;
      if (!line && /^upgrade: websocket/im.test(chunk.toString('latin1'))) {
        line = { browser, server, open: false, doomed: false };
        const made = line;
        this.lines.add(made);
        browser.on('close', () => this.lines.delete(made));
      }
      server.write(chunk);
    });
    server.on('data', (chunk) => {
      if (this.forgotten.has(server)) return;
      if (line && !line.open && this.unwelcome > 0) {
        this.unwelcome -= 1;
        this.lose(line);
      } else if (line?.doomed) {
        this.lose(line);
      } else {
        if (line) line.open = true;
        browser.write(chunk);
      }
    });
  }

  private lose(line: Line): void {
    this.cuts += 1;
    this.lines.delete(line);
    line.browser.destroy();
    line.server.destroy();
  }
}
