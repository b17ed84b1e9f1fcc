import { faultsBy, fileWording, type SchemaFault } from '../../kit/schema-faults.js'
import { SiteFile } from './site-file.js'

/** What is wrong in a site's file. */
export interface SiteFault extends SchemaFault {
  /** Characters into the text that stands there, where that is known. */
  readonly within?: number
}

/** Where a value does not fit the schema of a site's file, one fault a place. */
export const schemaFaults: (json: unknown) => readonly SiteFault[] = faultsBy(
  SiteFile,
  fileWording((shown, description) => `${shown} is not ${description}`),
)
