import type { Services } from '../../src/gateway/services/services.js'
import { REPLIES } from './example-replies.js'

/** The services of equipment that is only a record, which `find` knows: each answers as the document shows. */
export function exampleServices(find: (equipmentId: string) => unknown): Services {
  const answer =
    <Name extends keyof typeof REPLIES>(name: Name) =>
    async (equipmentId: string): Promise<(typeof REPLIES)[Name]> => {
      find(equipmentId)
      return REPLIES[name]
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
