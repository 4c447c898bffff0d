import type { HealthItem, HealthState } from '#features/operations/health.ts';
import type { SystemState } from '#features/operations/reads.ts';
import { Badge, type Tone } from '#ui/badge.tsx';
import { DrawerFacts } from '#ui/drawer.tsx';
import { FailedPanel } from '#ui/failed-panel.tsx';
import { LocalTime } from '#ui/local-time.tsx';
import { Panel } from '#ui/panel.tsx';
import { type Column, Table } from '#ui/table.tsx';
import { TimeAgo } from '#ui/time-ago.tsx';

const badges: Record<HealthState, { tone: Tone; label: string }> = {
  ok: { tone: 'ok', label: 'Working' },
  warn: { tone: 'warn', label: 'Look at it' },
  bad: { tone: 'bad', label: 'Not working' },
  off: { tone: 'mute', label: 'Not configured' },
};

const columns: Column<HealthItem>[] = [
  { id: 'name', header: 'Part', cell: ({ name }) => <span className="strong">{name}</span> },
  {
    id: 'state',
    header: 'State',
    cell: ({ state, text }) => {
      const { tone, label } = badges[state];
      return <Badge tone={tone}>{text.startsWith('No backup') ? 'None yet' : label}</Badge>;
    },
  },
  {
    id: 'text',
    header: 'Details',
    className: 'whitespace-normal!',
    cell: ({ text }) => text,
  },
  {
    id: 'took',
    header: 'Answered in',
    right: true,
    cell: ({ tookMs, state }) => (tookMs === null || state === 'off' ? '—' : `${tookMs} ms`),
  },
];

/** How everything is that the marketplace depends on, what waits, and what runs. */
export function HealthTab({ state }: { state: SystemState | null }) {
  if (!state) return <FailedPanel title="The state of the system could not be read." />;
  const { items, queues, versions } = state;
  return (
    <>
      <Panel title="Health" className="mt-0!">
        <Table
          label="Health"
          columns={columns}
          rows={items}
          rowKey={({ name }) => name}
          loading="Asking every part..."
          empty="Nothing was asked."
          error={null}
        />
      </Panel>
      <Panel title="Waiting jobs">
        <Table
          label="Waiting jobs"
          columns={[
            { id: 'job', header: 'Job', cell: ({ job }) => job },
            { id: 'waiting', header: 'Waiting', right: true, cell: ({ waiting }) => waiting },
            { id: 'oldest', header: 'Oldest due', cell: ({ oldest }) => <TimeAgo of={oldest} /> },
          ]}
          rows={queues ?? []}
          rowKey={({ job }) => job}
          loading="Loading jobs..."
          empty="No job waits."
          error={queues === null ? { title: 'The waiting jobs could not be read.' } : null}
        />
      </Panel>
      <Panel title="Versions" inset>
        {versions ? (
          <DrawerFacts
            facts={[
              ['This program', versions.product],
              ['Database', versions.database],
              ['Node.js', versions.node],
              ['Last migration', versions.migration.last],
              ['Migrations', `${versions.migration.count} done, ${versions.waiting.length} waiting`],
              ['Process since', <LocalTime key="since" of={versions.processSince} as="exact" />],
            ]}
          />
        ) : (
          <p>The versions could not be read.</p>
        )}
      </Panel>
    </>
  );
}
