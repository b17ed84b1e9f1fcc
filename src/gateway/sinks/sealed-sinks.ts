import { hkdfSync } from 'node:crypto'
import type { Collection } from '../../store/collection.js'
import { seal, unseal } from '../../store/sealing.js'
import type { SinkRecord } from './sink-record.js'

/** A sink on disk. A secret that is a text was not sealed: a person has edited it, or it is of an earlier version. */
export type StoredSink = Omit<SinkRecord, 'secret' | 'unopened'> & {
  /** `sealed`: in base64. */
  readonly secret: string | null | { readonly sealed: string }
}

/** The sinks of a store in which their secrets are sealed with a key that is made of `siteKey`. */
export function sealedSinks(stored: Collection<StoredSink>, siteKey: Uint8Array): Collection<SinkRecord> {
  const key = new Uint8Array(hkdfSync('sha256', siteKey, '', 'secsctl sink secrets', 32))

  const opened = ({ secret, ...record }: StoredSink): SinkRecord => {
    if (secret === null || typeof secret === 'string') return { ...record, secret }
    const content = unseal(Buffer.from(secret.sealed, 'base64'), key, record.id)
    if (!content) return { ...record, secret: null, unopened: secret.sealed }
    return { ...record, secret: content.toString() }
  }
  const sealed = ({ secret, unopened, ...record }: SinkRecord): StoredSink => {
    const kept = unopened === undefined ? null : { sealed: unopened }
    if (secret === null) return { ...record, secret: kept }
    return { ...record, secret: { sealed: seal(Buffer.from(secret), key, record.id).toString('base64') } }
  }
  return {
    changed: stored.changed,
    all: async () => (await stored.all()).map(opened),
    async get(id) {
      const record = await stored.get(id)
      return record && opened(record)
    },
    put: (record) => stored.put(sealed(record)),
    delete: (...ids) => stored.delete(...ids),
    exclusively: (work) => stored.exclusively(work),
  }
}
