import type { Socket } from 'node:net';
import { createServer } from 'node:net';
import { Duplex } from 'node:stream';
import type { Engine } from './engine.ts';
import { MessageAssembler, startupKind, startupResponse, TERMINATE } from './wire.ts';

/** An in-process connection with the interface of the socket that the `pg` client expects. */
export class EngineSocket extends Duplex {
  #engine: Engine;
  #started = false;

  constructor(engine: Engine) {
    super();
    this.#engine = engine;
  }
  connect(): this {
    this.#engine.ready.then(
      () => this.emit('connect'),
      (error: Error) => this.destroy(error),
    );
    return this;
  }
  setNoDelay(): this {
    return this;
  }
  setKeepAlive(): this {
    return this;
  }
  ref(): this {
    return this;
  }
  unref(): this {
    return this;
  }
  override _read(): void {}
  override _writev(chunks: { chunk: Buffer }[], done: (error?: Error | null) => void): void {
    this._write(Buffer.concat(chunks.map(({ chunk }) => chunk)), 'buffer', done);
  }
  override _write(chunk: Buffer, _encoding: string, done: (error?: Error | null) => void): void {
    if (!this.#started) {
      this.#started = true;
      this.push(startupResponse);
      done();
    } else if (chunk[0] === TERMINATE) {
      this.push(null);
      done();
    } else {
      this.#engine.exchange(this, chunk).then((reply) => {
        if (!this.destroyed) this.push(Buffer.from(reply));
        done();
      }, done);
    }
  }
  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.#engine.leave(this).then(
      () => done(error),
      () => done(error),
    );
  }
}

/** Serves the engine to other local processes on a socket; returns a function that stops it. */
export async function shareEngine(engine: Engine, path: string): Promise<() => Promise<void>> {
  const open = new Set<Socket>();
  const server = createServer((socket) => {
    open.add(socket);
    let started = false;
    const messages = new MessageAssembler();
    let turn = Promise.resolve();
    const receive = async (bytes: Buffer) => {
      if (!started) {
        const kind = startupKind(bytes);
        if (kind === 'ssl') return void socket.write('N');
        if (kind === 'cancel') return void socket.end();
        started = true;
        return void socket.write(startupResponse);
      }
      const whole = messages.add(bytes);
      if (!whole) return;
      if (whole[0] === TERMINATE) return void socket.end();
      socket.write(await engine.exchange(socket, whole));
    };
    socket.on('data', (bytes) => {
      turn = turn.then(() => receive(bytes)).catch(() => void socket.destroy());
    });
    socket.on('error', () => socket.destroy());
    socket.on('close', () => {
      open.delete(socket);
      void turn.then(() => engine.leave(socket));
    });
  });
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(path, resolve));
  server.unref();
  return async () => {
    for (const socket of open) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  };
}
