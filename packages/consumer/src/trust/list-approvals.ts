import { resolve } from 'node:path';
import { realFolder } from '../config/real-folder.ts';
import {
  readApprovals,
  readChosenRegistries,
  recordChosenRegistry,
  removeApproval,
  type Approval,
} from './approvals-file.ts';

export function listApprovals(approvals_file: string): Approval[] {
  return [...readApprovals(approvals_file)].flatMap(([registry, artifacts]) =>
    [...artifacts].map(([id, keys]) => ({ registry, id, keys })),
  );
}

export function findApprovals(approvals_file: string, id: string): Approval[] {
  return listApprovals(approvals_file).filter((approval) => approval.id === id);
}

/** Revokes the approvals of an id in all registries, and returns them. */
export function revokeApprovals(approvals_file: string, id: string): Approval[] {
  const found = findApprovals(approvals_file, id);
  for (const approval of found) removeApproval(approvals_file, approval);
  return found;
}

export interface ChosenRegistry {
  workspace: string;
  registry: string;
}

export function listChosenRegistries(approvals_file: string): ChosenRegistry[] {
  return [...readChosenRegistries(approvals_file)].map(([workspace, registry]) => ({
    workspace,
    registry,
  }));
}

export function findChosenRegistry(
  approvals_file: string,
  cwd: string,
  name: string,
): ChosenRegistry | undefined {
  const workspace = realFolder(resolve(cwd, name));
  return listChosenRegistries(approvals_file).find((one) => one.workspace === workspace);
}

export function revokeChosenRegistry(approvals_file: string, { workspace }: ChosenRegistry): void {
  recordChosenRegistry(approvals_file, workspace, undefined);
}
