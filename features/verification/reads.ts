import { transactionLink } from '#features/chain/explorer.ts';
import { type FoundAnchor, findAnchors } from '#features/chain/reads.ts';
import { networkNamed } from '#gateways/chain/networks.ts';
import type { CtxWith } from '#gateways/ports.ts';
import { authorize } from '#platform/access.ts';
import type { Ctx } from '#platform/context.ts';
import { networkOf } from '#platform/http/network-of.ts';
import { takeTokens } from '#platform/rate-limits.ts';
import { verificationLimits } from './limits.ts';
import type { Anchor, AnchorState, Question, RegisteredDocument, Token, Verification } from './model.ts';
import { mayVerify } from './rules.ts';

/** The same file may be registered several times; beyond this many the later ones are left out. */
const MOST_DOCUMENTS = 10;

/**
 * What is registered and anchored of a file or a number, for anyone. Test documents and those held for the virus scanner are not known.
 * The salt is given to whoever has the file alone: with it and a guess of the contents a private document could be recognized.
 * @throws TooManyRequests, by network
 */
export async function verifyDocument(ctx: CtxWith<'chain'>, question: Question): Promise<Verification> {
  authorize(ctx, mayVerify);
  await takeTokens(ctx, verificationLimits.check, `ip:${networkOf(ctx.ip)}`);
  const rows = await ctx.db
    .q()
    .selectFrom('document_registry')
    .select(['id', 'created_at', 'anchor_hash', 'salt', 'status'])
    .$if(question.by === 'file', (query) =>
      query.where('sha256', '=', question.by === 'file' ? question.sha256 : ''),
    )
    .$if(question.by === 'number', (query) =>
      query.where('number', '=', question.by === 'number' ? question.number : ''),
    )
    .where('is_test', '=', false)
    .where('scan', '<>', 'held')
    .orderBy('created_at')
    .orderBy('id')
    .limit(MOST_DOCUMENTS)
    .execute();
  const ids = rows.map(({ id }) => id);
  const [anchors, tokens] =
    ids.length > 0 ? await Promise.all([findAnchors(ctx, question), tokensOf(ctx, ids)]) : [[], []];
  return {
    question,
    documents: rows.map(
      (row): RegisteredDocument => ({
        registeredAt: row.created_at.toISOString(),
        anchorHash: row.anchor_hash,
        salted: row.salt !== null,
        salt: question.by === 'file' ? row.salt : null,
        revoked: row.status === 'revoked',
        // The hash of a private document is salted, so that it is its alone; that of a public one is the same for each registration.
        anchors: anchors.filter(({ anchorHash }) => anchorHash === row.anchor_hash).map(asAnchor),
        tokens: tokens.filter(({ documentId }) => documentId === row.id).map(({ token }) => token),
      }),
    ),
  };
}

function asAnchor(found: FoundAnchor): Anchor {
  const { network, label, status, contract, transaction, transactionLink: link, block, anchoredAt } = found;
  const mined = block !== null;
  return {
    state: stateOf(found),
    network: network === 'none' ? null : label,
    contract: mined ? contract : null,
    transaction: mined ? transaction : null,
    transactionLink: mined ? link : null,
    block: mined ? String(block) : null,
    at: mined ? anchoredAt : null,
    root: mined && found.proof.length > 0 ? found.root : null,
    proof: mined ? found.proof : [],
    confirmedNow: status === 'confirmed' ? found.onChain : null,
  };
}

function stateOf({ status, block, transaction }: FoundAnchor): AnchorState {
  if (status === 'confirmed') return 'final';
  if (status === 'failed') return 'failed';
  if (block !== null) return 'mined';
  return transaction === null ? 'waiting' : 'sent';
}

async function tokensOf(ctx: Ctx, ids: string[]): Promise<{ documentId: string; token: Token }[]> {
  const rows = await ctx.db
    .q()
    .selectFrom('completion_nfts as n')
    .leftJoin('chain_transactions as t', (join) =>
      join.onRef('t.nft_id', '=', 'n.id').on('t.kind', '=', 'mint').on('t.state', 'in', ['mined', 'final']),
    )
    .select(['n.document_id', 'n.token_id', 'n.network', 'n.base_tx_hash', 't.contract'])
    .where('n.document_id', 'in', ids)
    .where('n.status', '=', 'confirmed')
    .where('n.token_id', '>', 0)
    .orderBy('n.created_at')
    .orderBy('n.id')
    .execute();
  return rows.map((row) => ({
    documentId: row.document_id ?? '',
    token: {
      tokenId: String(row.token_id),
      network: (row.network && networkNamed(row.network)?.label) ?? row.network ?? '',
      contract: row.contract,
      transactionLink: transactionLink(row.network, row.base_tx_hash),
    },
  }));
}
