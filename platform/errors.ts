/** A fault with a safe text for people and a status for the door it leaves through. Expected outcomes are not errors. */
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

/** The caller is known and may not do this. */
export class Forbidden extends AppError {
  constructor(message = 'Not authorized') {
    super(message, 403);
  }
}

/** There is no such thing, or it is none of the caller's business. */
export class NotFound extends AppError {
  constructor(message = 'Not found') {
    super(message, 404);
  }
}

/** The request itself is malformed; nothing that a form of ours would send. */
export class BadRequest extends AppError {
  constructor(message = 'Bad request') {
    super(message, 400);
  }
}

/** A limit was reached; try again after `retryAfterSeconds`. */
export class TooManyRequests extends AppError {
  readonly retryAfterSeconds: number;
  constructor(retryAfterSeconds: number) {
    super('Too many attempts. Please wait a moment and try again.', 429);
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

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
