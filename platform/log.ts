import pino from 'pino';
import { RepeatedErrors } from './repeated-errors.ts';

export type Log = Pick<pino.Logger, 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'child' | 'level'>;

const WARN = pino.levels.values.warn ?? 40;

/** Structured logging to standard output. Of an outage, which every request meets, one line a minute is written. Secrets and e-mail addresses are redacted. */
export function createLog(level: string): Log {
  const repeated = new RepeatedErrors();
  return pino({
    level,
    hooks: {
      logMethod([facts, ...rest], method, severity) {
        const error: unknown =
          severity >= WARN && typeof facts === 'object' && facts !== null && 'err' in facts
            ? facts.err
            : null;
        const admitted = error ? repeated.admit(error) : { leftOut: 0 };
        if (!admitted) return;
        const more = admitted.leftOut > 0 && typeof facts === 'object' ? { ...facts, ...admitted } : facts;
        method.apply(this, [more, ...rest] as Parameters<typeof method>);
      },
    },
    base: { pid: process.pid },
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: {
      paths: [
        'password',
        '*.password',
        'token',
        '*.token',
        'email',
        '*.email',
        'cookie',
        'headers.cookie',
        'headers.authorization',
      ],
      censor: '[redacted]',
    },
  });
}
