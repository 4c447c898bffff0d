/** Licenses that our packages may have, by their SPDX ids, and where not everything is allowed by itself, why it is here. */
const ALLOWED: Readonly<Record<string, string>> = {
  '0BSD': '',
  'Apache-2.0': '',
  'BlueOak-1.0.0': '',
  'BSD-2-Clause': '',
  'BSD-3-Clause': '',
  'CC0-1.0': '',
  ISC: '',
  MIT: '',
  'MIT-0': '',
  Unlicense: '',
  'OFL-1.1': 'fonts, served as they are',
  'MPL-2.0': 'tools, used as they are',
  'CC-BY-4.0': 'data of a tool, which is not shipped',
  'LGPL-3.0': 'libheif, loaded as a library that can be exchanged',
  'LGPL-3.0-or-later': 'libvips, loaded as a library that can be exchanged',
};

/** Packages that name their license in their LICENSE file alone, by name and version. */
const READ_IN_FILE: Readonly<Record<string, string>> = {
  'node_modules/memorystream@0.3.1': 'MIT',
  'node_modules/png-js@2.0.0': 'MIT',
};

/** A package of the lockfile. */
export interface LockedPackage {
  version?: string;
  license?: string;
  dev?: boolean;
  optional?: boolean;
  link?: boolean;
}

/** Whether an SPDX expression can be satisfied by allowed licenses; without `AND` and `OR` mixed but by parentheses. */
export function isAllowed(expression: string): boolean {
  const inner = expression.replace(/^\((.*)\)$/, '$1');
  if (/ OR /.test(inner)) return inner.split(' OR ').some(isAllowed);
  if (/ AND /.test(inner)) return inner.split(' AND ').every(isAllowed);
  return Object.hasOwn(ALLOWED, inner);
}

/**
 * What is wrong with the licenses of the packages, a sentence each.
 * @param installedLicense reads the license of an installed package, where the lockfile has none; null when it is not installed
 */
export function licenseFindings(
  packages: Readonly<Record<string, LockedPackage>>,
  installedLicense: (place: string) => string | null,
): string[] {
  return Object.entries(packages).flatMap(([place, { license: named, version, optional, link }]) => {
    if (place === '' || link) return [];
    const license = named ?? READ_IN_FILE[`${place}@${version}`] ?? installedLicense(place);
    // For another system: it is checked where it is installed.
    if (license === null && optional) return [];
    if (license === null) return [`${place} names no license`];
    return isAllowed(license)
      ? []
      : [`${place} has the license ${license}, which scripts/licenses.ts does not allow`];
  });
}
