import type { FlagName } from '../daemon-flags.js'
import { kindOf, shapeOf } from './setting.js'

/** A value for each setting that has no default, as a person would write it. */
const EXAMPLES: Partial<Record<FlagName, string | boolean | readonly string[]>> = {
  'hsms-proxy': ['10.0.0.5'],
  'equipment-networks': ['10.1.0.0/16', '10.2.0.0/16'],
  'long-messages': '128MiB',
  'tls-cert': '/etc/secsctl/cert.pem',
  'tls-key': '/etc/secsctl/key.pem',
  'cors-origin': ['https://app.example'],
  'trust-proxy': ['10.0.0.1'],
  'metrics-token-file': '/etc/secsctl/metrics-token',
  'sinks-folder': '/var/lib/secsctl/data/sinks',
  catalogue: '/etc/secsctl/site.json',
  store: 'postgres://secsctl@db.fab/secsctl',
  'store-password-file': '/etc/secsctl/store-password',
  'store-key-file': '/etc/secsctl/store-key',
  'node-name': 'gateway-1',
  'node-url': 'https://gateway-1.fab:7327',
  'node-ca-file': '/etc/secsctl/fab-ca.pem',
  lease: '10s',
  'admin-email': 'ann@fab.example',
  'admin-password-file': '/etc/secsctl/admin-password',
}

/** A value of a setting, as an example: its default where it has one. */
export const exampleOf = (flag: FlagName): unknown =>
  shapeOf(flag).default ?? EXAMPLES[flag] ?? (kindOf(flag) === 'boolean' ? false : undefined)

/** A value as it stands in the file: JSON is YAML, and words that YAML takes for text need no quotes. */
export function yamlWord(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(yamlWord).join(', ')}]`
  if (typeof value !== 'string') return JSON.stringify(value)
  const isPlain =
    /^[A-Za-z/][\w@/.-]*(:\/?\/?[\w@/.:-]*\w)?$/.test(value) ||
    /^\d+([A-Za-z]+|(\.\d+){3}(\/\d+)?)$/.test(value)
  const isReserved = /^(true|false|null|\d+e\d+)$/i.test(value)
  return isPlain && !isReserved ? value : JSON.stringify(value)
}
