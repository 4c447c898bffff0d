import pg from 'pg';

// Loaded into a server before its own code, by `holdStatementEnvironment`: from the nth statement on that fits, none of them is sent. The
// server stands still there, in the middle of its transaction, until the test kills it.

const { HOLD_STATEMENT = '', HOLD_FROM = '1' } = process.env;
const fits = new RegExp(HOLD_STATEMENT);
let seen = 0;

const client = pg.Client.prototype as { query: (...call: unknown[]) => unknown };
const send = client.query;
client.query = function query(this: unknown, ...call: unknown[]) {
  const [statement] = call;
  if (typeof statement !== 'string' || !fits.test(statement)) return send.apply(this, call);
  seen += 1;
  if (seen < Number(HOLD_FROM)) return send.apply(this, call);
  console.log('A statement is held back');
  return new Promise(() => undefined);
};
