/** An error with a message that is safe to show to users and an HTTP status. Expected outcomes are not errors. */
export class AppError extends Error {
  readonly status: number;
  constructor(message: string, status: number, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
    this.status = status;
  }
}

/** The caller must sign in first. */
export class Unauthenticated extends AppError {
  constructor(message = 'Authentication required') {
    super(message, 401);
  }
}

/** The caller is signed in but not allowed to do this. */
export class Forbidden extends AppError {
  constructor(message = 'Not authorized') {
    super(message, 403);
  }
}

/** It does not exist, or the caller may not know that it does. */
export class NotFound extends AppError {
  constructor(message = 'Not found') {
    super(message, 404);
  }
}

/** The request is malformed; our own pages would not send it. */
export class BadRequest extends AppError {
  constructor(message = 'Bad request') {
    super(message, 400);
  }
}

/** A rate limit was reached; try again after `retryAfterSeconds`. */
export class TooManyRequests extends AppError {
  readonly retryAfterSeconds: number;
  constructor(retryAfterSeconds: number) {
    super('Too many attempts. Please wait a moment and try again.', 429);
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** True for an error of the operating system with this code, such as `ENOENT`. */
export const hasErrorCode = (error: unknown, code: string): boolean =>
  error instanceof Error && 'code' in error && error.code === code;

/** The embedded database is open in another process that cannot be reached. */
export class DatabaseInUse extends Error {
  constructor(dataDir: string, pid: number) {
    super(
      `The embedded database in ${dataDir} is in use by process ${pid}. Stop that process, set another DATA_DIR, ` +
        'or set DATABASE_URL to a PostgreSQL server that many processes can share.',
    );
    this.name = 'DatabaseInUse';
  }
}
