import { resolve } from 'node:path'
import type { ObjectStore } from './objectStore.ts'

const isS3 = (place: string): boolean => place.startsWith('s3://')

/** A place that means the same in whatever folder a process stands. */
export const wholePlace = (place: string): string => (isS3(place) ? place : resolve(place))

/** The store at a place: a folder, or `s3://BUCKET/FOLDER`. Throws InputError for a place in S3 that is none, or without its client. */
export async function storeAt(place: string): Promise<ObjectStore> {
  if (isS3(place)) return (await import('./s3Store.ts')).S3Store.open(place)
  return new (await import('./folderStore.ts')).FolderStore(place)
}
