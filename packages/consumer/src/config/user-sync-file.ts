import { makePrivateFolder, USER_FILE_MODE, userFolder } from '@catalog/core/node/user-folder';

export function userSyncFile(home: string): string {
  return `${userFolder(home)}/sync.yaml`;
}

/** Creates the folder of the user's configuration and returns the mode of a file in it. */
export function prepareUserSyncFile(home: string): number {
  makePrivateFolder(userFolder(home));
  return USER_FILE_MODE;
}
