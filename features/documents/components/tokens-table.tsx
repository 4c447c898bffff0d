import { EmptyState } from '#ui/empty-state.tsx';
import { LocalTime } from '#ui/local-time.tsx';
import type { Sort } from '#ui/sortable-header.tsx';
import { type Column, Table } from '#ui/table.tsx';
import { useRetry } from '#ui/use-retry.ts';
import { shortHash } from '../display.ts';
import type { RegistryToken } from '../registry-model.ts';
import { documentMessages } from '../rules.ts';
import { PlaceCell, StatusBadge, TransactionLink, ViewProperty } from './registry-cells.tsx';
import { RetryChain } from './retry-chain.tsx';

const nameOf = ({ name }: RegistryToken) => name || documentMessages.unnamedToken;

const name: Column<RegistryToken> = {
  id: 'name',
  header: 'NFT',
  cell: (token) => (
    <span className="registry-two">
      <b>{nameOf(token)}</b>
      {token.documentName && <small>{token.documentName}</small>}
    </span>
  ),
};
const number: Column<RegistryToken> = {
  id: 'token',
  header: 'Token ID',
  cell: ({ tokenId }) =>
    tokenId ?? (
      <>
        <span aria-hidden="true">—</span>
        <span className="vh">None yet</span>
      </>
    ),
};
const recipient: Column<RegistryToken> = {
  id: 'recipient',
  header: 'Recipient',
  cell: ({ recipient }) =>
    recipient ? (
      <span className="registry-code" title={recipient}>
        {shortHash(recipient)}
      </span>
    ) : (
      'In custody for the buyer'
    ),
};
const date: Column<RegistryToken> = {
  id: 'date',
  header: 'Date',
  cell: ({ createdAt }) => <LocalTime of={createdAt} as="date" />,
};
const kind: Column<RegistryToken> = {
  id: 'kind',
  header: 'Kind',
  cell: ({ kind }) => (kind === 'completion' ? 'Completion' : 'Property'),
};
const status: Column<RegistryToken> = {
  id: 'status',
  header: 'Status',
  cell: (token) => (
    <span className="registry-links">
      <StatusBadge status={token.status} reason={token.reason} />
      {token.status === 'failed' && <RetryChain field="nft" id={token.id} of={nameOf(token)} />}
    </span>
  ),
};
const link: Column<RegistryToken> = {
  id: 'link',
  header: 'Link',
  right: true,
  cell: (token) => (
    <TransactionLink network={token.network} hash={token.transactionHash} of={nameOf(token)} />
  ),
};

const ofAll: readonly Column<RegistryToken>[] = [
  name,
  { ...number, sortable: true },
  { ...date, sortable: true },
  { id: 'property', header: 'Property', cell: ({ property }) => <PlaceCell property={property} /> },
  status,
  link,
  {
    id: 'actions',
    header: 'Actions',
    right: true,
    cell: (token) => (
      <div className="rowacts">
        <ViewProperty property={token.property} of={nameOf(token)} />
      </div>
    ),
  },
];
const ofOne: readonly Column<RegistryToken>[] = [name, number, recipient, date, status, link];
const ofOneWithKind: readonly Column<RegistryToken>[] = [name, kind, number, recipient, date, status, link];

interface Props {
  label: string;
  /** `all`: with the property of each; `property`: of one property with their recipients; `kinds`: the same with their kind */
  of: 'all' | 'property' | 'kinds';
  /** undefined while loading, null when that failed */
  rows: readonly RegistryToken[] | null | undefined;
  /** shown below 'No NFTs found'; nothing while a search is on */
  emptyText?: string | undefined;
  sort?: Sort | null;
  onSort?: (next: Sort | null) => void;
}

/** Tokens that evidence documents. */
export function TokensTable({ label, of, rows, emptyText, sort = null, onSort }: Props) {
  const retry = useRetry();
  return (
    <div className="registry">
      <Table
        label={label}
        columns={of === 'all' ? ofAll : of === 'kinds' ? ofOneWithKind : ofOne}
        rows={rows ?? undefined}
        rowKey={({ id }) => id}
        loading="Loading NFTs..."
        empty={
          emptyText ? (
            <EmptyState bare title={documentMessages.noTokens} text={emptyText} />
          ) : (
            documentMessages.noTokens
          )
        }
        error={
          rows === null
            ? { title: documentMessages.failedTokens, detail: `${documentMessages.noTokenData}.`, ...retry }
            : null
        }
        sort={sort}
        {...(onSort && { onSort })}
        dense
      />
    </div>
  );
}
