import { hkdfSync } from 'node:crypto'
import type { Collection } from '../../store/collection.js'
import { seal, unseal } from '../../store/sealing.js'
import type { SinkRecord } from './sink-record.js'

interface Sealed {
  /** In base64. */
  readonly sealed: string
}

/**
 * A sink on disk. A secret that is a text was not sealed: a person has edited it, or it is of an earlier version. So is
 * a query in the URL of a webhook.
 */
export type StoredSink = Omit<SinkRecord, 'secret' | 'unopened' | 'unopened_query'> & {
  readonly secret: string | null | Sealed
  /** The query of the webhook's URL, with its question mark. */
  readonly query?: Sealed
}

/** The sinks of a store in which what their targets trust is sealed with a key that is made of `siteKey`. */
export function sealedSinks(stored: Collection<StoredSink>, siteKey: Uint8Array): Collection<SinkRecord> {
  const key = new Uint8Array(hkdfSync('sha256', siteKey, '', 'secsctl sink secrets', 32))
  const open = ({ sealed }: Sealed, context: string): string | undefined =>
    unseal(Buffer.from(sealed, 'base64'), key, context)?.toString()
  const close = (text: string, context: string): Sealed => ({
    sealed: seal(Buffer.from(text), key, context).toString('base64'),
  })

  const withSecret = ({ secret, ...record }: Omit<StoredSink, 'query'>): SinkRecord => {
    if (secret === null || typeof secret === 'string') return { ...record, secret }
    const content = open(secret, record.id)
    return content === undefined
      ? { ...record, secret: null, unopened: secret.sealed }
      : { ...record, secret: content }
  }
  const opened = ({ query, ...stored }: StoredSink): SinkRecord => {
    const record = withSecret(stored)
    const { webhook } = record
    if (!query || !webhook) return record
    const content = open(query, queryOf(record.id))
    return content === undefined
      ? { ...record, unopened_query: query.sealed }
      : { ...record, webhook: { ...webhook, url: webhook.url + content } }
  }
  const sealed = ({ secret, unopened, unopened_query, webhook, ...record }: SinkRecord): StoredSink => {
    const kept = unopened === undefined ? null : { sealed: unopened }
    const whole = webhook?.url ?? ''
    const [url = ''] = whole.split('?')
    const query = whole.slice(url.length)
    const keptQuery = unopened_query === undefined ? undefined : { sealed: unopened_query }
    const sealedQuery = query === '' ? keptQuery : close(query, queryOf(record.id))
    return {
      ...record,
      ...(webhook && { webhook: { ...webhook, url } }),
      ...(sealedQuery && { query: sealedQuery }),
      secret: secret === null ? kept : close(secret, record.id),
    }
  }
  return {
    changed: stored.changed,
    all: async () => (await stored.all()).map(opened),
    async get(id) {
      const record = await stored.get(id)
      return record && opened(record)
    },
    put: (record) => stored.put(sealed(record)),
    putAll: (records, elsewhere) => stored.putAll(records.map(sealed), elsewhere),
    delete: (...ids) => stored.delete(...ids),
    exclusively: (work) => stored.exclusively(work),
  }
}

/** What is sealed as a query is not opened as a secret. */
const queryOf = (id: string): string => `${id} query`
