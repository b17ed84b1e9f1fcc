import { resolve } from 'node:path'
import type { Catalogue } from '../../catalogue/catalogue.js'
import { STANDARD_CATALOGUE } from '../../catalogue/standard-catalogue.js'
import { mayBeAlive, readAddress, settingOf } from '../../daemon/address-file.js'
import { Failure, wrongUsage } from '../errors/failure.js'
import { readFault } from '../errors/file-fault.js'
import { textFlag } from '../input/flags.js'
import { readBytes, textOf } from '../input/standard-input.js'

/** The flag that names a site's file. */
export const CATALOGUE_FLAG = textFlag(
  'FILE',
  'Messages and items of this site, in JSON (`catalogue check --help`).',
  { parse: async (path) => resolve(path) },
)

/** The name of a file in messages to the user. */
export const fileName = (path: string): string => (path === '-' ? 'standard input' : path)

/** The standard's messages and items, with those of a site's file where one is given. */
export async function catalogueOf(stdin: NodeJS.ReadStream, file: string | undefined): Promise<Catalogue> {
  if (file === undefined) return STANDARD_CATALOGUE
  const { extendCatalogue, SITE_FILE_LIMIT } = await import('../../catalogue/site/site-catalogue.js')
  const text = textOf(
    await readBytes(stdin, file, 'the catalogue', SITE_FILE_LIMIT),
    `the catalogue ${fileName(file)}`,
  )
  try {
    return extendCatalogue(STANDARD_CATALOGUE, text, fileName(file))
  } catch (error) {
    if (!(error instanceof Error) || error.name !== 'SiteFileError') throw error
    throw wrongUsage(`the catalogue cannot be used:\n${error.message}`, undefined, error)
  }
}

/**
 * The catalogue for a command beside the daemon: of the file that is given, or else the one that the daemon on
 * this machine runs with. `server` is the gateway that the command is about, if it is about one.
 */
export async function catalogueHere(
  stdin: NodeJS.ReadStream,
  file: string | undefined,
  stateFolder: string,
  note: (text: string) => void,
  server?: string,
): Promise<Catalogue> {
  if (file !== undefined) return catalogueOf(stdin, file)
  const address = await readAddress(stateFolder).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EACCES' && error.code !== 'EPERM') throw error
    note(
      `Only the messages of the standard are known here: ${stateFolder} cannot be read: ${readFault(error)}`,
    )
    return undefined
  })
  if (!address || !mayBeAlive(address.pid) || (server !== undefined && server !== address.url)) {
    return STANDARD_CATALOGUE
  }
  try {
    return await catalogueOf(stdin, settingOf(address, 'catalogue')?.toString())
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    note(`Only the messages of the standard are known here: ${error.message}`)
    return STANDARD_CATALOGUE
  }
}
