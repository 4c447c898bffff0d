import type { MiddlewareHandler } from 'hono';
import { NONCE, secureHeaders } from 'hono/secure-headers';
import type { Config } from '../config.ts';
import type { HttpEnv } from './environment.ts';

interface SecurityHeaderOptions {
  /** hashes of constant inline scripts, as `sha256-…` in base64 */
  scriptHashes: string[];
  /** prefixes of paths whose URL contains a secret, such as a reset token, which must not leak as a referrer */
  secretPaths: string[];
  /** additional origins of images */
  imageOrigins?: string[];
  /** additional origins that a form may redirect to, such as a provider's checkout */
  formOrigins?: string[];
}

/**
 * Sets Content-Security-Policy and related headers. Inline scripts and styles need the response's nonce
 * (`c.get('secureHeadersNonce')`); style attributes are allowed, since they cannot execute anything.
 */
export function securityHeaders(
  config: Pick<Config, 'publicUrl' | 'mapTilesUrl'>,
  { scriptHashes, secretPaths, imageOrigins = [], formOrigins = [] }: SecurityHeaderOptions,
): MiddlewareHandler<HttpEnv> {
  const overHttps = config.publicUrl.startsWith('https:');
  const isTileFile = !config.mapTilesUrl?.includes('{z}');
  const self = "'self'";
  const common = secureHeaders({
    contentSecurityPolicy: {
      defaultSrc: [self],
      scriptSrc: [self, NONCE, ...scriptHashes.map((hash) => `'${hash}'`)],
      styleSrc: [self, NONCE],
      styleSrcAttr: ["'unsafe-inline'"],
      imgSrc: [
        self,
        'data:',
        'blob:',
        ...(isTileFile ? [] : tileOrigins(config.mapTilesUrl)),
        ...imageOrigins,
      ],
      fontSrc: [self],
      // A PMTiles file is read by scripts.
      connectSrc: [self, ...(isTileFile ? tileOrigins(config.mapTilesUrl) : [])],
      objectSrc: ["'none'"],
      baseUri: ["'none'"],
      formAction: [self, ...formOrigins],
      frameAncestors: ["'none'"],
      ...(overHttps && { upgradeInsecureRequests: [] }),
    },
    strictTransportSecurity: overHttps && 'max-age=31536000; includeSubDomains',
    referrerPolicy: 'strict-origin-when-cross-origin',
    xFrameOptions: 'DENY',
    permissionsPolicy: { camera: [], geolocation: [], microphone: [] },
  });
  return async (c, next) => {
    await common(c, next);
    if (secretPaths.some((path) => c.req.path.startsWith(path))) c.header('referrer-policy', 'no-referrer');
  };
}

/** `https://{s}.tiles.example/{z}/{x}/{y}.png` → `https://*.tiles.example` */
function tileOrigins(template: string | undefined): string[] {
  const [, scheme, host] = /^(https?):\/\/([^/]+)/.exec(template ?? '') ?? [];
  return scheme && host ? [`${scheme}://${host.replace(/^\{s\}/, '*')}`] : [];
}
