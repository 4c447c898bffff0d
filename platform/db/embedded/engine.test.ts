import { EventEmitter } from 'node:events';
import { expect, it, vi } from 'vitest';
import { Engine } from './engine.ts';

const workers = vi.hoisted(() => ({ last: undefined as EventEmitter | undefined }));
vi.mock('node:worker_threads', () => ({
  Worker: class extends EventEmitter {
    constructor() {
      super();
      workers.last = this;
    }
    postMessage(request: { id: number; close?: true }): void {
      if (request.close) queueMicrotask(() => this.emit('message', { id: request.id }));
    }
    async terminate(): Promise<void> {
      this.emit('exit', 0);
    }
  },
}));

async function started(onEnd: (error: Error) => void) {
  const engine = new Engine(null, onEnd);
  workers.last?.emit('message', { ready: true });
  await engine.ready;
  return engine;
}

it('says once that it has ended by itself, and leaves no query waiting', async () => {
  const ends: string[] = [];
  const engine = await started(({ message }) => ends.push(message));
  const asked = engine.exchange({}, new Uint8Array([1]));
  workers.last?.emit('error', new Error('out of memory'));
  workers.last?.emit('exit', 1);
  await expect(asked).rejects.toThrow('out of memory');
  await expect(engine.exchange({}, new Uint8Array([1]))).rejects.toThrow('out of memory');
  expect(ends).toEqual(['out of memory']);
});

it('does not say so when it is closed, or did not start', async () => {
  const ends: string[] = [];
  const onEnd = ({ message }: Error) => void ends.push(message);
  await (await started(onEnd)).close();
  const failing = new Engine(null, onEnd);
  workers.last?.emit('exit', 1);
  await expect(failing.ready).rejects.toThrow('has stopped');
  expect(ends).toEqual([]);
});
