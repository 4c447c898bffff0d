import { EventEmitter } from 'node:events';
import { Worker } from 'node:worker_threads';
import { companionFile } from '../../companion-file.ts';
import type { Notification } from './wire.ts';
import { simpleQuery, splitReply } from './wire.ts';
import type { WorkerReply } from './worker.ts';

/**
 * The embedded database is a single PostgreSQL session. The engine gives it to one connection at a time, from the
 * connection's first message until a reply that leaves no transaction open. So several connections, including those of
 * other processes, can share it with isolated transactions.
 */
export class Engine {
  readonly notifications = new EventEmitter<{ notification: [Notification] }>();
  readonly ready: Promise<void>;
  #worker: Worker;
  #pending = new Map<number, { resolve: (bytes: Uint8Array) => void; reject: (error: Error) => void }>();
  #nextId = 0;
  #holder: object | null = null;
  #waiting: { owner: object; grant: () => void }[] = [];
  #failure: Error | null = null;
  #onEnd: ((error: Error) => void) | undefined;

  /**
   * @param dataDir folder of the database, or null for one in memory
   * @param onEnd told when it ends by itself, once it was ready
   */
  constructor(dataDir: string | null, onEnd?: (error: Error) => void) {
    this.#worker = new Worker(companionFile('platform/db/embedded/worker.ts'), {
      workerData: { dataDir },
      execArgv: [],
    });
    this.ready = new Promise((resolve, reject) => {
      this.#worker.on('message', (reply: WorkerReply) => {
        if ('ready' in reply) {
          this.#onEnd = onEnd;
          return resolve();
        }
        const pending = this.#pending.get(reply.id);
        this.#pending.delete(reply.id);
        if (reply.error !== undefined) pending?.reject(new Error(reply.error));
        else pending?.resolve(reply.bytes ?? new Uint8Array());
      });
      this.#worker.on('error', (error) => this.#fail(error, reject));
      this.#worker.on('exit', () => this.#fail(new Error('The embedded database has stopped'), reject));
    });
  }

  /** Sends one connection's bytes and returns the reply; waits while another connection holds the session. */
  async exchange(owner: object, bytes: Uint8Array): Promise<Uint8Array> {
    await this.#acquire(owner);
    try {
      const reply = splitReply(await this.#call({ bytes }));
      for (const notification of reply.notifications) this.notifications.emit('notification', notification);
      if (reply.status === 'I') this.#release(owner);
      return reply.bytes;
    } catch (error) {
      this.#release(owner);
      throw error;
    }
  }

  /** Closes a connection and rolls back a transaction that it left open. */
  async leave(owner: object): Promise<void> {
    this.#waiting = this.#waiting.filter((entry) => entry.owner !== owner);
    if (this.#holder !== owner) return;
    await this.#call({ bytes: simpleQuery('rollback') }).catch(() => undefined);
    this.#release(owner);
  }

  async close(): Promise<void> {
    if (!this.#failure) await this.#call({ close: true });
    this.#failure = new Error('The embedded database is closed');
    await this.#worker.terminate();
  }

  #call(request: { bytes?: Uint8Array; close?: true }): Promise<Uint8Array> {
    if (this.#failure) return Promise.reject(this.#failure);
    const id = ++this.#nextId;
    return new Promise((resolve, reject) => {
      this.#pending.set(id, { resolve, reject });
      this.#worker.postMessage({ id, ...request });
    });
  }

  #acquire(owner: object): Promise<void> | undefined {
    if (this.#holder === owner) return;
    if (this.#holder === null) {
      this.#holder = owner;
      return;
    }
    return new Promise((resolve) => this.#waiting.push({ owner, grant: resolve }));
  }

  #release(owner: object): void {
    if (this.#holder !== owner) return;
    const next = this.#waiting.shift();
    this.#holder = next?.owner ?? null;
    next?.grant();
  }

  #fail(error: Error, reject: (error: Error) => void): void {
    const endedByItself = this.#failure === null;
    this.#failure ??= error;
    reject(error);
    for (const pending of this.#pending.values()) pending.reject(error);
    this.#pending.clear();
    if (endedByItself) this.#onEnd?.(error);
  }
}
