import type { ObjectStore } from './objectStore.ts'

/** What begins so is no folder. */
const S3 = 's3://'

/** The store at a place: a folder, or `s3://BUCKET/FOLDER`. Throws InputError for a place in S3 that is none, or without its client. */
export async function storeAt(place: string): Promise<ObjectStore> {
  if (place.startsWith(S3)) return (await import('./s3Store.ts')).S3Store.open(place)
  return new (await import('./folderStore.ts')).FolderStore(place)
}
