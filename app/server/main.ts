import { serve } from '@hono/node-server';
import { readConfig } from '#platform/config.ts';
import { openServices } from './services.ts';
import { createWeb } from './web.ts';

const config = readConfig();
const services = await openServices(config);
serve({ fetch: createWeb(services).fetch, port: config.port, hostname: config.host }, () =>
  services.log.info({ address: config.publicUrl }, 'ready'),
);
