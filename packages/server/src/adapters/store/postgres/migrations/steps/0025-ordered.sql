-- Receivers that get one delivery at a time, in the order of the events. Processes of the release before
-- send to them as to any receiver.
ALTER TABLE receivers ADD COLUMN ordered boolean NOT NULL DEFAULT false;
