import { parentPort, workerData } from 'node:worker_threads'
import { nameSources } from '../scenario/sourcePlaces.ts'
import type { ItemNews, ItemTask } from './validate.ts'
import { VALIDATION_ITEMS } from './items.ts'

nameSources()

const task = workerData as ItemTask
const tell = (news: ItemNews): void => {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread's port, no window
  parentPort!.postMessage(news)
}
const item = VALIDATION_ITEMS.find(({ id }) => id === task.id)!
tell({ figures: await item.measure({ ...task, onRequests: (requests) => { tell({ requests }) } }) })
