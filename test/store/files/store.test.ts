import { systemClock as clock } from '../../../src/kit/clock.js'
import { openStore } from '../../../src/store/files/data-folder.js'
import { describeStore } from '../behaviour/store-behaviour.js'
import { scratchFolders } from '../scratch-folder.js'

const folderOf = scratchFolders()

describeStore(
  'on files',
  async () => {
    const folder = folderOf()
    const open = () => openStore(folder, { clock, segmentBytes: 700 })
    return { store: await open(), again: open }
  },
  10,
)
