import type { Certificate } from '../../src/api/certificate.js'
import { placeFile } from '../../src/store/files/disk/durable-file.js'
import { type Disk, filesOf } from './disk.js'
import type { MadeCertificate } from './made-certificate.js'
import type { Host } from './world.js'

const FOLDER = '/etc'
/** Where a daemon tells the commands of its machine which certificate it shows. */
const TOLD = 'daemon.json'

/** Milliseconds that a start may take from one file to the next, and to say what is wrong with them. */
const READ_MS = 60_000

export type CertificatePart = 'cert' | 'key'

/** The certificate of a gateway's API and its key, each in a file of the machine's disk. */
export class CertificateFiles {
  /** Somebody replaces them: they may be no pair. */
  isAmid = false
  #lastPut = Number.NEGATIVE_INFINITY

  constructor(
    readonly disk: Disk,
    first: MadeCertificate,
  ) {
    disk.replace(
      FOLDER,
      new Map(['cert', 'key'].map((part) => [`/${part}`, Buffer.from(first[part as CertificatePart])])),
    )
  }

  /** As the daemon reads them: one after the other. */
  async read(host: Host): Promise<Certificate> {
    const key = await this.#read(host, 'key')
    return { key, cert: await this.#read(host, 'cert') }
  }

  async #read(host: Host, part: CertificatePart): Promise<string> {
    return (await filesOf(this.disk, host).read(`${FOLDER}/${part}`))?.toString() ?? ''
  }

  /** Puts another one in the place of a file, as a person does it: whole, and on disk once it resolves. */
  async put(host: Host, part: CertificatePart, text: string): Promise<void> {
    this.#lastPut = this.disk.world.now
    await placeFile(filesOf(this.disk, host), `${FOLDER}/${part}`, Buffer.from(text))
    this.#lastPut = this.disk.world.now
  }

  /** A process that has read them just now may have read one file of each of two pairs, or a part of one. */
  get mayBeNoPair(): boolean {
    return this.isAmid || this.disk.world.now - this.#lastPut < READ_MS
  }

  announce(host: Host, { cert }: Certificate): Promise<void> {
    return placeFile(filesOf(this.disk, host), `${FOLDER}/${TOLD}`, Buffer.from(cert))
  }

  /** What the files have now. */
  get now(): Certificate & { readonly told: string } {
    const text = (name: string): string =>
      this.disk.inode(`${FOLDER}/${name}`)?.read(0, Number.MAX_SAFE_INTEGER).toString() ?? ''
    return { cert: text('cert'), key: text('key'), told: text(TOLD) }
  }
}
