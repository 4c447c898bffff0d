import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '#platform/project-root.ts';
import { billOfMaterials } from './cyclonedx.ts';
import { type LockedPackage, licenseFindings } from './licenses.ts';

// Checks the license of every package, and writes the bill of materials.

const FILE = 'build/bill-of-materials.cdx.json';

const read = <Content>(path: string) => JSON.parse(readFileSync(join(projectRoot, path), 'utf8')) as Content;

function installedLicense(place: string): string | null {
  const file = `${place}/package.json`;
  if (!existsSync(join(projectRoot, file))) return null;
  const { license } = read<{ license?: unknown }>(file);
  return typeof license === 'string' ? license : null;
}

const { name, version, packages } = read<{
  name: string;
  version: string;
  packages: Record<string, LockedPackage>;
}>('package-lock.json');
const findings = licenseFindings(packages, installedLicense);
const bill = billOfMaterials({ name, version }, packages);
mkdirSync(join(projectRoot, 'build'), { recursive: true });
writeFileSync(join(projectRoot, FILE), `${JSON.stringify(bill, null, 1)}\n`);
for (const finding of findings) console.error(finding);
console.log(`${FILE}: ${bill.components.length} components; findings about licenses: ${findings.length}`);
process.exitCode = findings.length > 0 ? 1 : 0;
