import { defineJob, handle } from '../jobs/job.ts';

const maintenanceJob = defineJob('database.tend', { cron: '40 3,15 * * *', expireSeconds: 900 });

/**
 * Vacuums and analyzes twice a day. PostgreSQL does so automatically; the embedded database does not, and without statistics
 * its plans get worse by orders of magnitude.
 */
export const runMaintenance = handle(maintenanceJob, async ({ db }) => {
  if (db.embedded) await db.pool.query('vacuum (analyze)');
});
