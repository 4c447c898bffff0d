import { guards, type Mutant } from './mutant.ts';

const reads = 'features/purchases/reads.ts';
const command = (name: string) => `features/purchases/commands/${name}.ts`;
const notOurs = 'if (!isUuid(saleId)) throw new NotFound();';

/** Who may buy, see, pay and settle: branches of the decisions about a sale. */
export const purchaseDecisions: Mutant[] = [
  ...guards(
    'features/purchases/rules.ts',
    ["if (actor.id === sale.buyerId) return 'buyer';", "if (actor.role === 'buyer') return 'buyer';"],
    ["actor.role === 'agent' && actor.agentId === sale.agentId", "actor.role === 'agent'"],
    ["return actor.role === 'admin' ? 'admin' : null;", "return 'admin';"],
    ["return actor.role === 'admin' ? 'admin' : null;", 'return null;'],
    ["if (actor.agentId !== null && actor.agentId === listing.seller.id) return 'own';", ''],
    ["if (actor.role !== 'buyer') return 'not_a_buyer';", ''],
    ["if (!actor.emailVerified) return 'unverified';", ''],
    ["if (status === 'escrow') return 'in_escrow';", ''],
    ["if (status === 'Sold') return 'sold';", ''],
    ["if (status !== 'Active') return 'unavailable';", ''],
    ["return seller.suspended ? 'suspended' : null;", 'return null;'],
  ),
  ...guards(
    'features/purchases/transitions.ts',
    ["if (!fitting.by.includes(by)) return { ok: false, reason: 'not_yours' };", ''],
    ["by: ['seller', 'admin'],", "by: ['seller', 'admin', 'buyer'],"],
    ["by: ['seller', 'admin'],", "by: ['admin'],"],
    ["by: ['buyer'],", "by: ['buyer', 'seller'],"],
    ["by: ['buyer'],", "by: ['buyer', 'admin'],"],
    ["by: ['admin'],", "by: ['admin', 'seller'],"],
    ["by: ['admin'],", "by: ['admin', 'buyer'],"],
    ["by: ['admin'],", "by: ['admin', 'seller'],", 1],
    ["by: ['admin'],", "by: ['admin', 'buyer'],", 1],
    ["by: ['admin'],", "by: ['admin', 'seller'],", 2],
    ["by: ['admin'],", "by: ['admin', 'buyer'],", 2],
    ["by: ['buyer', 'seller'],", "by: ['buyer', 'seller', 'admin'],"],
    ["by: ['buyer', 'seller'],", "by: ['buyer', 'seller', 'admin'],", 1],
    ["by: ['buyer', 'seller'],", "by: ['buyer', 'seller', 'admin'],", 2],
    ["cancellationAskedBy === by ? 'asked_by_yourself' : null", 'null'],
    ["frozen ? 'frozen' : null", 'null'],
    ["problemOpen ? 'problem_open' : null", 'null'],
    ["cancellationAskedBy ? 'cancellation_asked' : null", 'null'],
    ["cancellationAskedBy ? 'already_asked' : null", 'null'],
    ["documentsDelivered ? 'already_delivered' : null", 'null'],
  ),
  ...guards(
    reads,
    ['if (!sale || !party) throw new NotFound();', 'if (!sale) throw new NotFound();'],
    [notOurs, ''],
    ['live && live.buyer_id === user?.id', 'live'],
    [
      'const refusal = user ? purchaseRefusal(ctx.actor, listing) : listingRefusal(listing);',
      'const refusal = null;',
    ],
    ["party === 'buyer' ? null : sale.agent_commission_cents", 'sale.agent_commission_cents'],
    ["failureReason: party === 'buyer' ? sale.failure_reason : null", 'failureReason: sale.failure_reason'],
    ["checkoutUrl: party === 'buyer' && state.payment", 'checkoutUrl: state.payment'],
    ["note: actor_role === 'system' ? null : note", 'note'],
    ['actions: possibleEvents(state, party, facts)', "actions: possibleEvents(state, 'admin', facts)"],
    [".where('f.applies_to', '=', 'buyer')", ''],
    ['if (!sale.sale_date || sale.receipt_number === null) throw new NotFound(NO_RECEIPT_YET);', ''],
  ),
  ...guards(
    command('act-on-sale'),
    [notOurs, ''],
    ['if (!sale || !party) throw new NotFound();', 'if (!sale) throw new NotFound();'],
    ["if (party === 'seller' && user.suspended) return { ok: false, reason: 'not_yours' };", ''],
  ),
  ...guards(
    command('begin-purchase'),
    [
      "if (!found.ok) throw new NotFound('Property not found');",
      "if (!found.ok) return { ok: false, reason: 'unavailable' };",
    ],
    ["if (refusal && (refusal !== 'in_escrow' || ", 'if (refusal && (false && '],
    ['?.buyer_id === buyerId', ' !== undefined'],
    ['found.filter((sale) => sale.buyer_id === buyerId)', 'found'],
    ["where('buyer_id', '=', buyerId), where('idempotency_key'", "where('idempotency_key'"],
    ["if (await triedTooOften(ctx, q, user.id)) return { ok: false, reason: 'too_many_attempts' };", ''],
    ['input.expectedCents !== null && input.expectedCents !== terms.totalCents', 'false'],
    ['if (!port || plan?.reason)', 'if (!port)'],
  ),
  ...guards(
    command('open-checkout'),
    ['if (!isUuid(input.saleId)) throw new NotFound();', ''],
    ['input.propertyId !== null && input.propertyId !== sale.property_id', 'false'],
    ["sale.stripe_payment_status !== 'pending' || sale.escrow_status !== 'pending'", 'false'],
    ['input.expectedCents !== null && input.expectedCents !== sale.total_cents', 'false'],
    ['if (refusal) {', 'if (false) {'],
  ),
  ...guards(
    command('cancel-checkout'),
    [notOurs, ''],
    ["if (sale.stripe_payment_status !== 'pending') return { ok: false, reason: 'not_now' };", ''],
  ),
  ...guards(command('diagnose-payments'), [
    "if (!found.ok) return [{ name: 'Property purchasable', ok: false, detail: 'Property not found' }];",
    "if (!found.ok) return [{ name: 'Property purchasable', ok: true, detail: 'yes' }];",
  ]),
  ...guards('features/fees/reads.ts', ['.filter(({ applies_to }) => applies_to.includes(side))', '']),
  ...guards(
    'gateways/payments/signature.ts',
    ['if (!found.includes(true)) throw', 'if (false) throw'],
    ['if (Math.abs(now.getTime() - Number(stamp) * 1000) > TOLERANCE_MS)', 'if (false)'],
    [
      "if (!header) throw refused('The message is not signed');",
      "if (!header) return new Map([['t', ['1']]]);",
    ],
  ),
  ...guards(
    'gateways/payments/sandbox/messages.ts',
    ["verifyStripe(rawBody, headers.get('stripe-signature'), secret, now);", ''],
    ['verifyCoinbase({ rawBody, headers, secret, now });', ''],
  ),
];

/** What only a request can show of buying and paying. */
export const purchaseDoors: Mutant[] = [
  ...guards(
    'app/routes/api/payments.ts',
    ["if (ctx.actor.kind === 'visitor') return c.json({ error: refusalText.signed_out }, 401);", ''],
    ["if (ctx.actor.kind === 'visitor') return c.json({ error: refusalText.signed_out }, 401);", '', 1],
    ['propertyId: call.propertyId, expectedCents }', 'propertyId: null, expectedCents }'],
    ['propertyId: call.propertyId, expectedCents }', 'propertyId: call.propertyId, expectedCents: null }'],
    ['if (error instanceof NotFound) return', 'if (false) return'],
  ),
  ...guards('app/routes/api/webhooks.ts', [
    'await receiveMessage(ctx, { rail, rawBody, headers: c.req.raw.headers }, services.payments);',
    'void receiveMessage(ctx, { rail, rawBody, headers: c.req.raw.headers }, services.payments).catch(() => null);',
  ]),
  ...guards(
    'app/server/endpoints.ts',
    ["app.get('/api/payments/*', onlyPost);", ''],
    ["app.get('/api/payment-diagnostics', onlyPost);", ''],
    ["app.get('/api/webhooks/*', onlyPost);", ''],
    [
      "app.post('/api/webhooks/stripe', webhook('card'));",
      "app.post('/api/webhooks/stripe', webhook('crypto'));",
    ],
  ),
  ...guards('app/server/web.ts', ['addWebhooks(app);', '']),
  ...guards(
    'app/routes/public/purchase.ts',
    ['if (!mayPurchase(ctx.actor)) return askToSignIn(propertyId, method, scripted, quiet);', ''],
    ['if (error instanceof NotFound) throw error;', ''],
    ['if (!begun.ok) return refuse(errorText(begun.reason), refusalStatus(begun.reason));', ''],
    ['if (!ended.ok) return refuse(moveText[ended.reason], 409);', ''],
  ),
  ...guards('app/routes/public/receipt.tsx', ['if (!maySeeSales(ctx.actor)) throw', 'if (false) throw']),
  ...guards(
    'app/routes/sandbox/checkout.tsx',
    ['ctx.config.sandboxPayments ? await', 'true ? await'],
    ["if (!known) throw new BadRequest('There is no such action');", ''],
  ),
  ...guards('app/sale/sale-door.ts', [
    "const event = [...partyEvents, 'cancel_checkout' as const].find((known) => known === wish);",
    "const event = wish as 'release';",
  ]),
];
