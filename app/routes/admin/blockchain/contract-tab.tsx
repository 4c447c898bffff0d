import type { ReactNode } from 'react';
import type { ContractStatus, RoleHolder } from '#features/chain/reads.ts';
import { formatCount } from '#platform/format-count.ts';
import type { ActionData } from '#ui/action-data.ts';
import { Badge } from '#ui/badge.tsx';
import { ButtonLink } from '#ui/button.tsx';
import { DrawerFacts } from '#ui/drawer.tsx';
import { FailedPanel } from '#ui/failed-panel.tsx';
import { LocalTime } from '#ui/local-time.tsx';
import { Notice } from '#ui/notice.tsx';
import { Panel } from '#ui/panel.tsx';
import { ContractDialogs } from './contract-dialogs.tsx';
import { ether } from './ether.ts';
import { type BlockchainDialog, type BlockchainQuery, tabHref } from './query.ts';

interface Props {
  status: ContractStatus | null;
  query: BlockchainQuery;
  answer: ActionData | undefined;
}

/** The chain, its contract and its signer; on test networks the contract is changed here. */
export function ContractTab({ status, query, answer }: Props) {
  if (!status) return <FailedPanel title="The contract could not be loaded." />;
  if (status.missing !== null)
    return (
      <Notice tone="warn" title={status.missing}>
        <p>Documents and tokens wait until a chain is configured. Nothing is written anywhere before.</p>
      </Notice>
    );
  return (
    <>
      {status.error && (
        <Notice tone="bad" title="The chain could not be asked">
          <p>{status.error}</p>
        </Notice>
      )}
      {status.stuck && <StuckChange status={status} stuck={status.stuck} />}
      <Panel
        title="Contract"
        inset
        className={status.error || status.stuck ? undefined : 'mt-0!'}
        actions={status.mayManage ? <Actions status={status} /> : undefined}
      >
        <ContractFacts status={status} />
        {!status.mayManage && (
          <p className="hint mt-3">
            This is a main network: the contract is read only here, unless CHAIN_MAINNET_WRITES=on allows
            changes.
          </p>
        )}
      </Panel>
      <Panel title="Signer and chain" inset>
        <ChainFacts status={status} />
      </Panel>
      {status.mayManage && <ContractDialogs status={status} query={query} answer={answer} />}
    </>
  );
}

/** Why a change of the contract is not final, and what ends that: no other change, document or token is signed before. */
function StuckChange({
  status: { signer },
  stuck: { reason, sender, senderLink, nonce },
}: {
  status: ContractStatus;
  stuck: NonNullable<ContractStatus['stuck']>;
}) {
  return (
    <Notice tone="bad" title="A change of the contract makes no progress">
      <p>{reason}. No other change, document or token is signed before it is final.</p>
      <p>
        It was signed by {linked(sender, senderLink)} with the nonce {nonce}.
        {sender !== signer &&
          ' Send that account enough for the network fees, or have it send any other transaction with that nonce, which gives up the change.'}
      </p>
    </Notice>
  );
}

/** What can be done now; a contract is deployed once, and only one that answers can be changed. */
function Actions({ status: { contract, asked } }: { status: ContractStatus }) {
  const state = asked?.state;
  const links: [BlockchainDialog, string][] = state
    ? [state.paused ? ['unpause', 'Resume'] : ['pause', 'Pause'], ['base-uri', 'Set base URI']]
    : contract === null && asked
      ? [['deploy', 'Deploy contract']]
      : [];
  return links.map(([dialog, label]) => (
    <ButtonLink key={dialog} variant="outline" to={tabHref('contract', { do: dialog })} preventScrollReset>
      {label}
    </ButtonLink>
  ));
}

function ContractFacts({ status }: { status: ContractStatus }) {
  const { label, chainId, contract, contractLink, asked } = status;
  const state = asked?.state;
  return (
    <DrawerFacts
      facts={[
        ['Network', label],
        ['Chain ID', chainId],
        ['Address', contract ? linked(contract, contractLink) : 'None deployed'],
        ['ABI version', state?.version],
        ['Tokens made', state && formatCount(state.totalMinted)],
        [
          'Paused',
          state && (
            <Badge key="paused" tone={state.paused ? 'warn' : 'ok'}>
              {state.paused ? 'Paused' : 'Not paused'}
            </Badge>
          ),
        ],
        ['Base URI', state?.baseUri],
      ]}
    />
  );
}

function ChainFacts({ status }: { status: ContractStatus }) {
  const { signer, signerLink, confirmations, open, failed, asked } = status;
  const state = asked?.state;
  return (
    <DrawerFacts
      facts={[
        ['Signer', linked(signer, signerLink)],
        ['Owner', state && (named(status.owners, signer) ?? signerOrNot(state.signerIsOwner))],
        ['Minter', state && (named(status.minters, signer) ?? signerOrNot(state.signerIsMinter))],
        ['Balance of the signer', asked && ether(asked.balanceWei)],
        [
          'Last block',
          asked && (
            <>
              {formatCount(asked.headNumber)}, <LocalTime of={asked.headTime} />
            </>
          ),
        ],
        ['Confirmations', confirmations],
        ['Open transactions', formatCount(open)],
        ['Failed', formatCount(failed)],
      ]}
    />
  );
}

/** Where the node does not look up who has a role. */
const signerOrNot = (isSigner: boolean): string => (isSigner ? 'The signer' : 'Not the signer');

/** Who has a role of the contract; null when that is not known. */
function named(holders: readonly RoleHolder[] | null, signer: string): ReactNode {
  if (holders === null) return null;
  if (holders.length === 0) return 'No one';
  return holders.map(({ address, link }) => (
    <div key={address}>
      {linked(address, link)}
      {address === signer && ' (the signer)'}
    </div>
  ));
}

const linked = (address: string, link: string | null): ReactNode =>
  link ? (
    <a className="link" href={link} target="_blank" rel="noopener noreferrer">
      {address}
    </a>
  ) : (
    address
  );
