import { guards, type Mutant } from './mutant.ts';
import { photoDecisions } from './photos.ts';
import { purchaseDecisions, purchaseDoors } from './purchases.ts';
import { sellerDecisions } from './sellers.ts';
import { sellingDecisions } from './selling.ts';

/** Guards inside the features that no rule finds: branches of decisions. */
export const decisions: Mutant[] = [
  ...purchaseDecisions,
  ...photoDecisions,
  ...sellerDecisions,
  ...sellingDecisions,
  ...guards(
    'features/listings/rules.ts',
    ["actor.role === 'admin' || ", ''],
    ['actor.agentId === listing.seller.id', "actor.role === 'agent'"],
    ["listing.isPublic || listing.status === 'escrow' || listing.status === 'Sold'", 'true'],
    [
      "listing.isPublic || listing.status === 'escrow'",
      "listing.status === 'Active' || listing.status === 'escrow'",
    ],
    ["listing.status === 'escrow' || ", ''],
    [" || listing.status === 'Sold'", ''],
    ["listing.status === 'withdrawn' ? 410 : 404", '404'],
  ),
  ...guards('features/listings/reads.ts', ['return status === 200 ?', 'return status ?']),
  ...guards(
    'features/inquiries/rules.ts',
    ["if (actor.kind === 'user' && actor.agentId === listing.seller.id) return 'own';", ''],
    ["if (actor.kind === 'user' && actor.suspended) return 'read_only';", ''],
    ["if (listing.status !== 'Active') return 'unavailable';", ''],
    ["listing.seller.suspended ? 'suspended' : null", 'null'],
  ),
  ...guards('features/inquiries/commands/send-inquiry.ts', [
    "if (!found.ok) throw new NotFound('Property not found');",
    "if (!found.ok) return { ok: false, reason: 'unavailable' };",
  ]),
  ...guards(
    'features/inquiries/reads.ts',
    [" || actor.role === 'admin'", ''],
    [
      'get_buyer_unread_messages_count(',
      '(select count(*)::integer from inquiry_messages where not is_read and null::uuid is distinct from ',
    ],
    [".where('i.status', '=', 'pending')", ''],
  ),
  ...guards('features/watches/commands/set-watch.ts', [
    "if (!found.ok) throw new NotFound('Property not found');",
    '',
  ]),
  ...guards(
    'features/saved-searches/reads.ts',
    ['where s.user_id = ${user.id} order by', 'order by'],
    ['where s.user_id = ${user.id} and m.seen_at', 'where m.seen_at'],
  ),
  ...guards('features/saved-searches/commands/change-saved-search.ts', [
    "if (!own) throw new NotFound('Saved search not found');",
    'if (!own) return { ok: true };',
  ]),
  ...guards('features/saved-searches/commands/delete-saved-search.ts', [
    'if (!gone) throw',
    'if (false) throw',
  ]),
  ...guards(
    'features/personal-data/rules.ts',
    ["mayCloseAccount = hasRole('buyer')", "mayCloseAccount = hasRole('buyer', 'agent')"],
    ["mayCloseAccount = hasRole('buyer')", "mayCloseAccount = hasRole('buyer', 'admin')"],
  ),
  ...guards(
    'features/personal-data/commands/close-account.ts',
    ['if (!(await passwordMatches(credential?.password ?? null, parsed.data.password)))', 'if (false)'],
    ["if ((await openPurchases(ctx)) > 0) return { ok: false, reason: 'live_sale' };", ''],
  ),
  ...guards('features/purchases/reads.ts', ['where s.buyer_id = ${user.id} and (', 'where (']),
  ...guards(
    'features/views/rules.ts',
    ["actor.role !== 'admin' && ", ''],
    [' && actor.agentId !== sellerId', ''],
  ),
  ...guards(
    'features/views/commands/record-view.ts',
    ['!found.ok || ', 'found.ok && '],
    ["ctx.actor.kind === 'user' ? ctx.actor.id : null", 'null'],
  ),
  ...guards('features/search/commands/record-search.ts', [
    "ctx.actor.kind === 'user' ? ctx.actor.id : null",
    'null',
  ]),
  ...guards('features/fees/reads.ts', [
    ".where((where) => where('applies_to', '@>', where.val(['buyer'])))",
    '',
  ]),
  ...guards('features/listings/reads.ts', ['.filter((type) => type.isActive)', '']),
  ...guards(
    'features/accounts/rules.ts',
    ["if (door === 'agent' && role !== 'agent')", "if (door === 'agent' && role === 'buyer')"],
    ["if (door === 'agent' && role !== 'agent')", "if (door === 'agent' && role === 'admin')"],
    ["if (door === 'admin' && role !== 'admin')", "if (door === 'admin' && role === 'buyer')"],
    ["if (door === 'admin' && role !== 'admin')", "if (door === 'admin' && role === 'agent')"],
  ),
  ...guards(
    'features/accounts/reads.ts',
    [".where('expires_at', '>', ctx.now())", ''],
    ['row.id === currentSessionId', 'currentSessionId !== null'],
  ),
  ...guards(
    'features/accounts/commands/sign-in.ts',
    ['if (!account?.password || !matches)', 'if (!account?.password)'],
    ["if (!account.email_verified) return { ok: false, reason: 'email_not_confirmed' };", ''],
    ["account.archived_at ? 'agent' : input.door", 'input.door'],
    ["account.archived_at ? 'buyer' : actor.role", 'actor.role'],
    ['if (message || account.must_change_password)', 'if (message)'],
    ['await signOut(ctx, { sessionId: currentSessionId });', ''],
    [
      'const { cookies } = await signOut(ctx, { sessionId: input.currentSessionId });',
      'const cookies: string[] = [];',
    ],
  ),
  ...guards('features/accounts/commands/sign-up.ts', [
    "role: 'buyer', created_at",
    "role: (ctx as never as { role: 'buyer' }).role ?? 'admin', created_at",
  ]),
  ...guards(
    'features/accounts/commands/change-password.ts',
    ['if (!(await passwordMatches(credential?.password ?? null, parsed.data.current)))', 'if (false)'],
    [".where('id', '!=', input.currentSessionId)", ".where('id', '=', input.currentSessionId)"],
  ),
  ...guards('features/accounts/commands/resend-verification.ts', [
    ".where('email_verified', '=', false)",
    '',
  ]),
  ...guards(
    'features/accounts/commands/revoke-session.ts',
    ['if (!isUuid(input.sessionId)) throw', 'if (false) throw'],
    ['if (numDeletedRows === 0n) throw', 'if (false) throw'],
  ),
  ...guards(
    'platform/auth/auth.ts',
    ['found && found.expiresAt > new Date()', 'found'],
    ['revokeSessionsOnPasswordReset: true', 'revokeSessionsOnPasswordReset: false'],
  ),
  ...guards(
    'platform/access.ts',
    ["throw ctx.actor.kind === 'visitor' ? new Unauthenticated() : new Forbidden();", ''],
    ["ctx.actor.kind === 'visitor' ? new Unauthenticated() : new Forbidden()", 'new Forbidden()'],
  ),
  ...guards(
    'platform/db/migrations/0002_marketplace.ts',
    [
      "status = 'Active' and not seller_suspended and deleted_at is null",
      'not seller_suspended and deleted_at is null',
    ],
    [
      "status = 'Active' and not seller_suspended and deleted_at is null",
      "status = 'Active' and deleted_at is null",
    ],
    [
      "status = 'Active' and not seller_suspended and deleted_at is null",
      "status = 'Active' and not seller_suspended",
    ],
    [
      "new.seller_suspended := exists (select from agents where id = new.agent_id and status = 'suspended');",
      '',
    ],
    ["update properties set seller_suspended = (new.status = 'suspended') where agent_id = new.id;", ''],
  ),
  ...guards('platform/db/migrations/0007_search.ts', [
    'delete from search_entries where property_id = new.id;',
    'null;',
  ]),
];

/** Guards of the web layer: what only a request can show. */
export const doors: Mutant[] = [
  ...purchaseDoors,
  ...guards(
    'app/sign-in/guard.ts',
    ["actor.kind !== 'user' || (!mine && role === 'buyer')", "!mine && role === 'buyer'"],
    ["actor.kind !== 'user' || (!mine && role === 'buyer')", "actor.kind !== 'user'"],
    ["actor.kind === 'user' && actor.role === role", "actor.kind === 'user'"],
    ["if (!mine && request.method !== 'GET' && request.method !== 'HEAD') throw notAvailable();", ''],
    ["if (actor.kind !== 'user' || actor.role !== role) throw notAvailable();", ''],
  ),
  ...guards('app/routes/buyer/guard.tsx', ["[guard('buyer')]", '[]']),
  ...guards(
    'app/routes/agent/guard.tsx',
    ["[guard('agent')]", '[]'],
    ["refuseOtherRoles('agent', context);", ''],
    ["refuseOtherRoles('agent', context);", "refuseOtherRoles('buyer', context);"],
  ),
  ...guards(
    'app/routes/admin/guard.tsx',
    ["[guard('admin')]", '[]'],
    ["refuseOtherRoles('admin', context);", ''],
  ),
  ...guards(
    'app/routes/dev/guard.tsx',
    ['if (config.production && !config.demo)', 'if (false)'],
    ['config.production && !config.demo', 'config.production || !config.demo'],
  ),
  ...guards(
    'app/account/account-door.ts',
    ['if (!mayManageOwnSessions(scope.ctx.actor))', 'if (false)'],
    ["if (wish === 'close') authorize(scope.ctx, mayCloseAccount);", ''],
  ),
  ...guards('app/routes/public/saved-searches.ts', ['if (!maySaveSearches(ctx.actor))', 'if (false)']),
  ...guards('app/routes/api/account-export.ts', ["if (ctx.actor.kind !== 'user')", 'if (false)']),
  ...guards(
    'platform/auth/leave-link.ts',
    ['given.length === right.length && timingSafeEqual(given, right)', 'true'],
    ['update(`unsubscribe:${userId}:${topic}`)', 'update(`unsubscribe:${userId}`)'],
  ),
  ...guards(
    'app/routes/public/property.tsx',
    ['if (!found.ok) throw data(null,', 'if (!found.ok) return data(null as never,'],
    ['if (!mayInquire(ctx.actor))', 'if (false)'],
  ),
  ...guards(
    'app/routes/public/watch.ts',
    ['if (!mayWatch(ctx.actor))', 'if (false)'],
    ['safeNext(from.pathname + from.search)', 'from.pathname + from.search'],
    ['from.host === new URL(request.url).host ?', 'from.host ?'],
  ),
  ...guards('app/routes/api/logout.ts', [
    'export const loader = () => redirect(paths.home());',
    'export const loader = action;',
  ]),
  ...guards(
    'app/routes/api/media.ts',
    ['if (!PUBLIC_IMAGE.test(key)) throw new NotFound();', ''],
    ["if (!verdict.ok) throw new NotFound('This link is not valid or has expired.');", ''],
  ),
  ...guards('app/routes/api/og-image.ts', [
    "found.listing.isPublic ? 'public, max-age=86400' : 'private, no-store'",
    "'public, max-age=86400'",
  ]),
  ...guards('app/routes/api/sitemap.ts', ['if (!digits) throw new NotFound();', '']),
  ...guards(
    'gateways/files/signed-link.ts',
    ['if (given.length !== expected.length || !timingSafeEqual(given, expected))', 'if (false)'],
    ['if (now.getTime() >= Number(exp) * 1000)', 'if (false)'],
    ["JSON.stringify(['file-link', 1, key,", "JSON.stringify(['file-link', 1,"],
  ),
  ...guards(
    'app/server/web.ts',
    ['app.use(requireOwnOrigin(config, postedByOthers));', ''],
    ["const postedByOthers = ['/unsubscribe'];", "const postedByOthers = ['/'];"],
    ["'/unsubscribe', '/agent/register'", "'/agent/register'"],
    ['app.use(onlyWellFormed);', ''],
    ['app.use(limitBody(MAX_BODY_BYTES, { [UPLOADS]: null }));', ''],
    ['app.use(securityHeaders(config, { scriptHashes: [themeHash], secretPaths, formOrigins }));', ''],
    ["'/reset-password', ", ''],
    ["'/verify-email', ", ''],
    ["c.res.headers.set('cache-control', 'private, no-cache');", 'void 0;'],
    [
      'const { actor, sessionId, cookies } = await actorOf(c.var.ctx, c.req.raw);',
      'const { sessionId, cookies } = await actorOf(c.var.ctx, c.req.raw), actor = visitor;',
    ],
  ),
  ...guards(
    'platform/http/own-origin.ts',
    ["if (site ? site !== 'same-origin' : !byOrigin)", "if (site ? site === 'cross-site' : !byOrigin)"],
    ["if (site ? site !== 'same-origin' : !byOrigin)", 'if (!byOrigin)'],
    ["if (site ? site !== 'same-origin' : !byOrigin)", "if (site && site !== 'same-origin')"],
    ['origin === publicOrigin || origin === ours', 'origin !== undefined'],
    ['origin === publicOrigin || origin === ours', 'Boolean(origin?.startsWith(publicOrigin))'],
  ),
  ...guards('platform/http/well-formed.ts', [
    'if (!isText(new URL(c.req.url).pathname)) throw new BadRequest();',
    '',
  ]),
  ...guards(
    'app/server/pages.ts',
    ['throw error instanceof AppError ? refuse(error) : error;', 'throw error;'],
    ['!page && action ? onlyWritten : undefined', 'undefined'],
  ),
  ...guards(
    'platform/auth/session.ts',
    [".where('s.expires_at', '>', now)", ''],
    ["if (!row || (row.role === 'agent' && row.archived_at)) return ended;", 'if (!row) return ended;'],
    ["agentId: row.role === 'agent' ? row.agent_id : null", 'agentId: null'],
    ["suspended: row.role === 'agent' && row.status === 'suspended'", 'suspended: false'],
  ),
  ...guards('platform/auth/cookie.ts', [
    "if (!token || given.length !== expected.length || !timingSafeEqual(given, expected)) return 'forged';",
    '',
  ]),
  ...guards(
    'platform/events/events.ts',
    ["? ['public',", "? ['public', 'role:admin',"],
    ["? ['public',", "? ['public', 'role:buyer',"],
  ),
  ...guards(
    'features/accounts/rules.ts',
    ["!raw.startsWith('/')", 'false'],
    [
      'if (/[\\u0000-\\u0020\\u007f\\\\]/.test(raw) || !URL.canParse(raw, ELSEWHERE)) return null;',
      'if (!URL.canParse(raw, ELSEWHERE)) return null;',
    ],
    ["url.origin !== ELSEWHERE || url.pathname.startsWith('//')", "url.pathname.startsWith('//')"],
    ["url.origin !== ELSEWHERE || url.pathname.startsWith('//')", 'url.origin !== ELSEWHERE'],
  ),
  ...guards(
    'app/sign-in/door.ts',
    [
      'if (viewer?.role === door) throw redirect(next ?? homeOf(door));',
      'if (viewer) throw redirect(next ?? homeOf(door));',
    ],
    ["next: safeNext(url.searchParams.get('next'))", "next: url.searchParams.get('next')"],
  ),
  ...guards('app/routes/buyer/signup.tsx', [
    "safeNext(url.searchParams.get('next')) ?? undefined",
    "url.searchParams.get('next') ?? undefined",
  ]),
];
