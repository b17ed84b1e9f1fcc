import { SERVICE_REPLY_EXAMPLES } from '../../src/api/openapi/openapi-service-examples.js'
import { SETUP_REPLY_EXAMPLES } from '../../src/api/openapi/openapi-setup-examples.js'
import type { Services } from '../../src/gateway/services/services.js'

const ANSWERS = { ...SERVICE_REPLY_EXAMPLES, ...SETUP_REPLY_EXAMPLES }
type Answers = Required<typeof ANSWERS>

/** The services of equipment that is only a record, which `find` knows: each answers as the document shows. */
export function exampleServices(find: (equipmentId: string) => unknown): Services {
  const answer =
    <Name extends keyof Answers>(name: Name) =>
    async (equipmentId: string): Promise<Answers[Name]> => {
      find(equipmentId)
      return (ANSWERS as Answers)[name]
    }
  return {
    control: { online: answer('goOnline'), offline: answer('goOffline') },
    variables: { list: answer('listVariables'), read: answer('readVariables') },
    constants: {
      list: answer('listConstants'),
      read: answer('readConstants'),
      write: answer('writeConstants'),
    },
    collectionEvents: {
      list: answer('listCollectionEvents'),
      switch: answer('enableCollectionEvents'),
      report: answer('requestEventReport'),
      requestReport: answer('requestReport'),
    },
    clocks: { read: answer('getClock'), set: answer('setClock') },
    terminals: { send: answer('sendTerminalText') },
    equipmentAlarms: { list: answer('listEquipmentAlarms'), switch: answer('enableAlarms') },
    reports: { get: answer('getReports'), apply: answer('applyReports'), clear: answer('clearReports') },
    recipes: {
      list: answer('listRecipes'),
      fetch: answer('fetchRecipe'),
      store: answer('storeRecipe'),
      delete: answer('deleteRecipe'),
      select: answer('selectRecipe'),
    },
    traces: { list: answer('listTraces'), start: answer('startTrace'), end: answer('endTrace') },
  }
}
