import { FileStoreError } from './port.ts';

/** A bucket's location and credentials. `endpoint` is an origin such as `https://s3.example.com`. */
export type S3Location = {
  endpoint: string;
  bucket: string;
  region: string;
  accessKeyId: string;
  secretAccessKey: string;
};

const EXPECTED =
  'FILES_URL must look like s3://KEY:SECRET@host[:port]/bucket?region=us-east-1 (add &tls=off for http)';

/**
 * Parses `FILES_URL`. Reserved characters in key and secret are percent-encoded. Uses plain HTTP for localhost
 * (localhost, 127.0.0.1) and with `tls=off`.
 *
 * @throws FileStoreError `invalid`, saying what is expected; the URL is not quoted because it contains the secret
 */
export function parseS3Url(text: string): S3Location {
  const url = URL.canParse(text) ? new URL(text) : null;
  const bucket = url?.pathname.replace(/^\/|\/$/g, '') ?? '';
  const isBucket = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(bucket);
  if (url?.protocol !== 's3:' || !url.hostname || !url.username || !url.password || !isBucket)
    throw new FileStoreError('invalid', EXPECTED);
  const tls = url.searchParams.get('tls');
  const isLocal = ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname);
  if (tls !== null && tls !== 'off' && tls !== 'on') throw new FileStoreError('invalid', EXPECTED);
  const plain = tls === 'off' || (isLocal && tls !== 'on');
  return {
    endpoint: `${plain ? 'http' : 'https'}://${url.host}`,
    bucket,
    region: url.searchParams.get('region') ?? 'us-east-1',
    accessKeyId: decoded(url.username),
    secretAccessKey: decoded(url.password),
  };
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch (cause) {
    throw new FileStoreError('invalid', EXPECTED, cause);
  }
}
