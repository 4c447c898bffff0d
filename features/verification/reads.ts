import { transactionLink } from '#features/chain/explorer.ts';
import { networkNamed } from '#gateways/chain/networks.ts';
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
export async function verifyDocument(ctx: Ctx, question: Question): Promise<Verification> {
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
    ids.length > 0 ? await Promise.all([anchorsOf(ctx, ids), tokensOf(ctx, ids)]) : [[], []];
  return {
    question,
    documents: rows.map(
      (row): RegisteredDocument => ({
        registeredAt: row.created_at.toISOString(),
        anchorHash: row.anchor_hash,
        salted: row.salt !== null,
        salt: question.by === 'file' ? row.salt : null,
        revoked: row.status === 'revoked',
        anchors: anchors.filter(({ documentId }) => documentId === row.id).map(({ anchor }) => anchor),
        tokens: tokens.filter(({ documentId }) => documentId === row.id).map(({ token }) => token),
      }),
    ),
  };
}

async function anchorsOf(ctx: Ctx, ids: string[]): Promise<{ documentId: string; anchor: Anchor }[]> {
  const rows = await ctx.db
    .q()
    .selectFrom('document_anchors as a')
    .leftJoin('chain_transactions as t', 't.id', 'a.transaction_id')
    .select([
      'a.document_id',
      'a.network',
      'a.proof',
      't.state',
      't.call',
      't.contract',
      't.hash',
      't.block_number',
      't.block_time',
    ])
    .where('a.document_id', 'in', ids)
    .orderBy('a.requested_at')
    .orderBy('a.id')
    .execute();
  return rows.map((row) => {
    const network = row.network === null ? null : networkNamed(row.network);
    const state = anchorState(row.state);
    const mined = state === 'mined' || state === 'final';
    const root = (row.call as { root?: unknown } | null)?.root;
    return {
      documentId: row.document_id,
      anchor: {
        state,
        network: network?.label ?? row.network,
        contract: mined ? row.contract : null,
        transaction: mined ? row.hash : null,
        transactionLink: mined ? transactionLink(row.network, row.hash) : null,
        block: mined && row.block_number !== null ? String(row.block_number) : null,
        at: mined ? (row.block_time?.toISOString() ?? null) : null,
        root: mined && row.proof?.length && typeof root === 'string' ? root : null,
        proof: mined ? (row.proof ?? []) : [],
      },
    };
  });
}

const anchorState = (state: string | null): AnchorState => {
  if (state === 'mined' || state === 'final' || state === 'failed') return state;
  return state === 'signed' ? 'sent' : 'waiting';
};

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
