import { deliverSandboxWebhooks } from '#gateways/payments/sandbox/deliver-webhooks.ts';
import type { Config } from '#platform/config.ts';
import type { JobHandler } from '#platform/jobs/job.ts';

/** What happens at the sandbox over time, where it serves payments. */
export const sandboxJobs = (config: Config): JobHandler[] =>
  config.sandboxPayments
    ? [deliverSandboxWebhooks({ baseUrl: ownAddress(config), secret: config.secret })]
    : [];

/** Where this process listens: sandbox webhooks arrive over HTTP like real ones, but bypass the load balancer. */
function ownAddress({ host, port }: Pick<Config, 'host' | 'port'>): string {
  const reachable = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
  return `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}`;
}
