import type { MessageMode } from '#gateways/payouts/sandbox/webhook.ts';
import type { Option } from '#ui/select-control.tsx';

const labels: Record<MessageMode, string> = {
  once: 'At once',
  twice: 'Twice',
  late: 'An hour late',
  never: 'Never',
};

/** How the provider tells us. */
export const messageOptions: Option[] = Object.entries(labels).map(([value, label]) => ({ value, label }));
