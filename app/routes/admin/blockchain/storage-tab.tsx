import type { FailedPin, RoundTripResult, StorageStatus } from '#features/content/model.ts';
import { contentMessages } from '#features/content/rules.ts';
import type { ContentProvider } from '#gateways/content/port.ts';
import { formatCount } from '#platform/format-count.ts';
import { adminPaths } from '#routing/admin-paths.ts';
import { ButtonLink } from '#ui/button.tsx';
import { DrawerFacts } from '#ui/drawer.tsx';
import { FailedPanel } from '#ui/failed-panel.tsx';
import { fileSize } from '#ui/file-size.ts';
import { LocalTime } from '#ui/local-time.tsx';
import { Notice } from '#ui/notice.tsx';
import { Panel } from '#ui/panel.tsx';
import { Table } from '#ui/table.tsx';
import { TimeAgo } from '#ui/time-ago.tsx';
import { PostButton } from '../operations/row-actions.tsx';

const providers: Record<ContentProvider, string> = {
  local: 'A folder on this machine',
  kubo: 'Kubo (IPFS)',
  pinata: 'Pinata (IPFS)',
};

interface Props {
  status: StorageStatus | null;
  /** of the round trip that was just made */
  roundTrip: RoundTripResult | undefined;
}

/** The store of public documents, what is in it, and what failed. */
export function StorageTab({ status, roundTrip }: Props) {
  if (!status) return <FailedPanel title="The storage status could not be loaded." />;
  const { provider, gateway, profile, pinned, waiting, lastPinAt, failed, failedCount } = status;
  return (
    <>
      {provider === null && (
        <Notice tone="warn" title="Not configured">
          <p>{contentMessages.notConfigured} Documents that are marked public wait until there is one.</p>
        </Notice>
      )}
      <Panel title="Storage" inset className={provider === null ? undefined : 'mt-0!'}>
        <DrawerFacts
          facts={[
            ['Provider', provider ? providers[provider] : 'Not configured'],
            ['Gateway', gateway],
            ['Profile', profile],
            ['Pinned', `${formatCount(pinned.count)}, ${fileSize(pinned.bytes)}`],
            ['Waiting', formatCount(waiting)],
            ['Last pin', lastPinAt ? <LocalTime key="last" of={lastPinAt} as="exact" /> : 'None yet'],
            ['Failed', formatCount(failedCount)],
          ]}
        />
        <p className="hint mt-2">Test documents are not counted. Private documents are never published.</p>
      </Panel>
      <Panel
        title="Round trip"
        inset
        actions={provider !== null && <PostButton intent="round-trip" fields={{}} label="Test round trip" />}
      >
        <p>
          Puts 1 kB into the store, compares the address with ours, gets it back, compares and removes it.
        </p>
        {roundTrip && <RoundTrip result={roundTrip} />}
      </Panel>
      <Panel
        title="Failed pins"
        actions={
          failed.length > 1 && <PostButton intent="retry-pin" fields={{ cid: '' }} label="Retry all" />
        }
      >
        <FailedPins rows={failed} />
      </Panel>
    </>
  );
}

const RoundTrip = ({ result }: { result: RoundTripResult }) =>
  result.ok ? (
    <div className="mt-4">
      <Notice tone="ok" title="Put, get and compare succeeded">
        <p className="break-all">
          {result.cid}: put in {result.addMs} ms, got in {result.getMs} ms, removed in {result.removeMs} ms.
        </p>
      </Notice>
    </div>
  ) : (
    <div className="mt-4">
      <Notice tone="bad" title="The round trip failed">
        <p>{result.text}</p>
      </Notice>
    </div>
  );

/** What is published: a document, or the metadata of a token. */
const nameOf = ({ document, isMetadata, cid }: FailedPin) =>
  document?.name ?? (isMetadata ? `Metadata of a token, ${cid}` : cid);

const FailedPins = ({ rows }: { rows: readonly FailedPin[] }) => (
  <Table
    label="Failed pins"
    columns={[
      {
        id: 'document',
        header: 'Document',
        cell: (pin) => <span className="strong">{nameOf(pin)}</span>,
      },
      {
        id: 'reason',
        header: 'Reason',
        className: 'whitespace-normal!',
        cell: ({ kind, reason }) => (kind === 'pin' ? reason : `It is still published. ${reason}`),
      },
      { id: 'at', header: 'Failed', cell: ({ failedAt }) => <TimeAgo of={failedAt} /> },
      {
        id: 'actions',
        header: 'Actions',
        cell: (pin) => (
          <div className="rowacts">
            <PostButton
              intent="retry-pin"
              fields={{ cid: pin.cid }}
              label="Retry"
              about={nameOf(pin)}
              small
            />
            {pin.document?.propertyId && (
              <ButtonLink
                variant="ghost"
                size="sm"
                to={adminPaths.propertyDocuments(pin.document.propertyId)}
              >
                View Property<span className="vh"> of {pin.document.name}</span>
              </ButtonLink>
            )}
          </div>
        ),
      },
    ]}
    rows={rows}
    rowKey={({ cid }) => cid}
    loading="Loading failed pins..."
    empty="No pin has failed."
    error={null}
  />
);
