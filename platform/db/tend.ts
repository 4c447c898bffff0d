import { defineJob, handle } from '../jobs/job.ts';

const tend = defineJob('database.tend', { cron: '40 3,15 * * *', expireSeconds: 900 });

/**
 * Gives space back and renews the planner's statistics twice a day. PostgreSQL does so by itself; the embedded
 * database never does, and its plans grow worse by orders of magnitude without.
 */
export const tendDatabase = handle(tend, async ({ db }) => {
  if (db.embedded) await db.pool.query('vacuum (analyze)');
});
