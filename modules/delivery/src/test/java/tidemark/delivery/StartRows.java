package tidemark.delivery;

import static tidemark.delivery.DeliverySettings.SnapshotMode.INCONSISTENT;
import static tidemark.delivery.DeliverySettings.SnapshotMode.NEVER;
import static tidemark.delivery.ReplicationState.Stand.COPIED;
import static tidemark.delivery.ReplicationState.Stand.DOUBTED;
import static tidemark.delivery.ReplicationState.Stand.LEFT_OUT;
import static tidemark.delivery.ReplicationState.Stand.MERGING;
import static tidemark.delivery.ReplicationState.Stand.PENDING;
import static tidemark.delivery.ReplicationState.Stand.UNKNOWN;
import static tidemark.delivery.StartRow.row;
import static tidemark.delivery.StartScene.AHEAD;
import static tidemark.delivery.StartScene.BEFORE;
import static tidemark.delivery.StartScene.CONFIRMED;
import static tidemark.delivery.StartScene.FOREIGN;
import static tidemark.delivery.StartScene.HALF_MADE;
import static tidemark.delivery.StartScene.LOST;
import static tidemark.delivery.StartScene.MISSING;
import static tidemark.delivery.StartScene.known;
import static tidemark.delivery.StartScene.withoutState;

import java.util.List;
import java.util.stream.Stream;
import tidemark.decode.RelationName;

/** The table of how a session begins, docs/architecture.md. A row without examples is decided outside the plan. */
final class StartRows {
    private static final RelationName GOODS = new RelationName("public", "goods");
    private static final String GOES_ON = "use 0/100, continue COPIED 0/100 9";
    private static final String BROKE_OFF = "the last time did not come to its end";
    private static final String EMPTY = "came back empty (incarnation life-2, the state file knows life-1)";

    private StartRows() {}

    static List<StartRow> all() {
        return Stream.of(ofEnds(), withoutSlot(), ofSlot(), ofTables(), ofTablesThatStand())
                .flatMap(List::stream)
                .toList();
    }

    private static List<StartRow> ofEnds() {
        return List.of(
                row("a slot of the primary that a standby keeps in step (17 and later)")
                        .drivenBy(StandbyIT.class, "aSlotThatThePrimaryKeepsInStepIsWaitedForUntilThePromotion"),
                row("a state file that cannot be read, or of a newer version")
                        .drivenBy(UnreadableStateTest.class, "isRefusedAndLeftAsItIs"),
                row("another system, database or slot than the state file's")
                        .decides(known(COPIED).origin("8", 1, "shop", "tidemark"), "refused: another source")
                        .decides(known(COPIED).origin("7", 1, "other", "tidemark"), "refused: another source")
                        .decides(known(COPIED).origin("7", 1, "shop", "other"), "refused: another source")
                        .decides(
                                known(PENDING)
                                        .origin("8", 1, "shop", "tidemark")
                                        .slot(MISSING)
                                        .emptied(),
                                "refused: another source")
                        .drivenBy(OtherServerIT.class, "anotherServerIsNotTheOneOfTheStateFile")
                        .drivenBy(StartTableIT.class, "anotherDatabaseOrSlotIsNotTheOneOfTheStateFile"),
                row("another pipeline URL than the state file's, and another life")
                        .decides(
                                known(COPIED).emptied().address("http://g/v0/pipelines/p"), "refused: another pipeline")
                        .drivenBy(StartTableTest.class, "anotherPipelineIsNotTheOneOfTheStateFile"),
                row("the state file's life of the pipeline, under another URL")
                        .decides(known(COPIED).address("http://g/v0/pipelines/p"), GOES_ON)
                        .drivenBy(StartTableTest.class, "theSamePipelineUnderAnotherAddressGoesOn"),
                row("PostgreSQL's WAL ends before what was confirmed")
                        .decides(known(COPIED).walEnd(BEFORE).slotAt(BEFORE), "refused: ends at 0/80, before 0/100")
                        .decides(known(COPIED).walEnd(BEFORE).slot(MISSING), "refused: ends at 0/80, before 0/100")
                        .decides(known(COPIED).walEnd(BEFORE).slot(LOST), "refused: ends at 0/80, before 0/100")
                        .decides(known(COPIED).walEnd(BEFORE).slot(FOREIGN), "refused: ends at 0/80, before 0/100")
                        .decides(known(COPIED).walEnd(BEFORE).emptied(), "refused: ends at 0/80, before 0/100")
                        .decides(known(COPIED).walEnd(BEFORE).fromCheckpoint(), "refused: ends at 0/80, before 0/100")
                        .drivenBy(
                                DatabasePutBackTest.class,
                                "aDatabaseThatWasPutBackToAnOlderCopyOfItselfIsRefusedAndNothingIsSkipped"),
                row("a slot of another plugin or database")
                        .decides(withoutState().slot(FOREIGN).counts(0), "refused: tidemark is not ours: its plugin")
                        .decides(known(COPIED).slot(FOREIGN), "refused: tidemark is not ours")
                        .decides(known(COPIED).slot(FOREIGN).emptied(), "refused: tidemark is not ours")
                        .decides(known(COPIED).slot(FOREIGN).fromCheckpoint(), "refused: tidemark is not ours")
                        .decides(
                                known(COPIED).slot(FOREIGN).origin("7", 2, "shop", "tidemark"),
                                "refused: tidemark is not ours")
                        .drivenBy(StartTableTest.class, "aSlotOfAnotherPluginIsNotOurs")
                        .drivenBy(StartTableTest.class, "aSlotOfAnotherDatabaseIsNotOurs")
                        .drivenBy(StartTableIT.class, "aSlotThatIsNotOursIsNamedAlsoWhereThePipelineWentBack"),
                row("another timeline")
                        .decides(
                                known(COPIED).origin("7", 2, "shop", "tidemark").slotAt(BEFORE),
                                "use 0/80, merge: timeline 1",
                                "refused: timeline 1, and the state file knows timeline 2")
                        .decides(
                                known(COPIED)
                                        .origin("7", 2, "shop", "tidemark")
                                        .slot(MISSING)
                                        .counts(0),
                                "create INITIAL, copy: timeline 1",
                                "refused: timeline 1")
                        .drivenBy(OtherServerIT.class, "aServerThatWasPromotedIsOnAnotherTimeline"),
                row("a pipeline that came back from a checkpoint")
                        .decides(
                                known(COPIED).fromCheckpoint(),
                                "use 0/100, merge: restarted from a checkpoint",
                                "refused: restarted from a checkpoint")
                        .decides(
                                known(PENDING).fromCheckpoint().slot(MISSING),
                                "create INITIAL, merge: restarted from a checkpoint",
                                "refused: restarted from a checkpoint")
                        .drivenBy(
                                StartTableTest.class, "aPipelineThatCameBackFromACheckpointMayLackWhatPostgresForgot"),
                row("a pipeline that came back empty, of which some table was copied to the end before")
                        .decides(known(COPIED).emptied().counts(0), "use 0/100, copy: " + EMPTY, "refused: " + EMPTY)
                        .decides(known(UNKNOWN).emptied().counts(0), "use 0/100, copy: " + EMPTY, "refused: " + EMPTY)
                        .decides(known(DOUBTED).emptied().counts(0), "use 0/100, copy: " + EMPTY, "refused: " + EMPTY)
                        .decides(
                                known(COPIED).emptied().counts(0).slot(MISSING),
                                "create INITIAL, copy: " + EMPTY,
                                "refused: " + EMPTY)
                        .decides(known(COPIED).emptied().counts(0).mode(NEVER), "refused: " + EMPTY)
                        .drivenBy(StartTableTest.class, "aPipelineThatCameBackEmptyIsFilledAgain")
                        .drivenBy(
                                StartTableTest.class,
                                "aPipelineThatCameBackEmptyIsNotStreamedOnWhereTablesAreNeverRead"),
                row("a pipeline that came back empty, and no table was")
                        .decides(known(PENDING).emptied().counts(0), "use 0/100, copy: " + EMPTY)
                        .decides(known(MERGING).emptied().counts(0), "use 0/100, copy: " + EMPTY)
                        .decides(known(PENDING).emptied().counts(0).mode(NEVER), "use 0/100, stream only")
                        .drivenBy(
                                StartTableTest.class,
                                "aPipelineThatCameBackEmptyDuringTheFirstCopyIsCopiedWhateverThePolicy"));
    }

    private static List<StartRow> withoutSlot() {
        String lost = "lost the WAL it stood for (wal_removed)";
        String gone = "slot tidemark is gone, and with it the changes since";
        String left = "slot tidemark is gone, and with it went what would remove the rows";
        return List.of(
                row("slot without its WAL")
                        .decides(known(COPIED).slot(LOST), "create INITIAL, merge: " + lost, "refused: " + lost)
                        .decides(
                                known(PENDING).slot(LOST).counts(0),
                                "create INITIAL, copy: " + lost,
                                "refused: " + lost)
                        .decides(
                                known(MERGING).slot(LOST).counts(0),
                                "create INITIAL, merge: " + lost,
                                "refused: " + lost)
                        .decides(withoutState().slot(LOST).counts(0), "create INITIAL, copy", "refused: " + lost)
                        .decides(
                                known(COPIED).slot(LOST).mode(INCONSISTENT),
                                "create INITIAL, merge: " + lost,
                                "refused: " + lost)
                        .decides(known(UNKNOWN).slot(LOST).mode(NEVER), "refused: " + lost)
                        .drivenBy(OtherServerIT.class, "aSlotThatLostItsWalIsToldOnce"),
                row("no slot, but tables that were copied in this life")
                        .decides(known(COPIED).slot(MISSING), "create INITIAL, merge: " + gone, "refused: " + gone)
                        .decides(
                                known(COPIED).slot(HALF_MADE),
                                "create INITIAL, merge: slot tidemark is only half-made",
                                "refused: slot tidemark is only half-made: the one before it is gone")
                        .decides(
                                known(MERGING).slot(MISSING).counts(0),
                                "create INITIAL, merge: " + gone,
                                "refused: " + gone)
                        .decides(
                                known(COPIED).slot(MISSING).mode(INCONSISTENT),
                                "create INITIAL, merge: " + gone,
                                "refused: " + gone)
                        .decides(known(UNKNOWN).slot(MISSING).mode(NEVER), "refused: " + gone)
                        .drivenBy(StartTableTest.class, "aSlotThatIsGoneTookTheChangesSinceWithIt")
                        .drivenBy(StartTableIT.class, "afterALossTheSlotIsMadeFirstAlsoWhereTheCopyIsInconsistent"),
                row("no slot, nothing was copied in this life, but an endpoint has counted")
                        .decides(known(PENDING).slot(MISSING), "create INITIAL, merge: " + left, "refused: " + left)
                        .decides(
                                known(PENDING).slot(HALF_MADE),
                                "create INITIAL, merge: slot tidemark is only half-made",
                                "refused: slot tidemark is only half-made")
                        .decides(
                                known(PENDING).slot(MISSING).emptied().counts(4),
                                "create INITIAL, merge: (4 operations)",
                                "refused: (4 operations)")
                        .decides(
                                withoutState().slot(MISSING),
                                "create INITIAL, merge: 9 operations, and the state file does not say",
                                "refused: 9 operations, and the state file does not say")
                        .decides(
                                known(PENDING).slot(MISSING).leaves(Leftovers.DOUBLED),
                                "create INITIAL, merge: would be there twice")
                        .drivenBy(FirstCopyTest.class, "aCopyThatBrokeIsMergedWithItsLeftoversOnceTheSlotIsGone"),
                row("the same, with `snapshot.mode=never`, and a merge did not come to its end")
                        .decides(
                                known(MERGING).slot(MISSING).emptied().counts(4).mode(NEVER), "refused: " + left)
                        .drivenBy(StartTableIT.class, "aMergeThatBrokeIsNotForgottenWhereTablesAreNeverRead"),
                row("a half-made slot that somebody is making")
                        .drivenBy(StartTableTest.class, "aHalfMadeSlotIsWaitedForWhileItIsBeingMade"),
                row("no slot, or a half-made one; nothing was copied in this life")
                        .decides(withoutState().slot(MISSING).counts(0), "create INITIAL, copy")
                        .decides(withoutState().slot(HALF_MADE).counts(0), "create INITIAL, copy")
                        .decides(known(PENDING).slot(MISSING).counts(0), "create INITIAL, copy: " + BROKE_OFF)
                        .decides(withoutState().slot(MISSING).counts(3).mode(NEVER), "create NEVER, stream only")
                        .drivenBy(StartTableTest.class, "withoutASlotOneIsMadeAndEveryTableIsCopied")
                        .drivenBy(HalfMadeSlotIT.class, "thatNobodyMakesIsDroppedAndMadeAnew"),
                row("the same, with `snapshot.mode=inconsistent`")
                        .decides(withoutState().slot(MISSING).counts(0).mode(INCONSISTENT), "create INCONSISTENT, copy")
                        .drivenBy(
                                InconsistentCopyTest.class,
                                "whatIsCommittedBetweenTheCopyAndTheSlotIsLostAndThatIsSaid"));
    }

    private static List<StartRow> ofSlot() {
        String ahead = "slot tidemark stands at 0/200, ahead of 0/100";
        String moved = "slot tidemark was moved by somebody else";
        return List.of(
                row("slot ahead of the confirmed position, same life, something was copied")
                        .decides(known(COPIED).slotAt(AHEAD), "use 0/200, merge: " + ahead, "refused: " + ahead)
                        .decides(
                                known(MERGING).slotAt(AHEAD).counts(0),
                                "use 0/200, merge: " + ahead,
                                "refused: " + ahead)
                        .decides(known(UNKNOWN).slotAt(AHEAD).mode(NEVER), "refused: " + ahead)
                        .drivenBy(StartTableTest.class, "aSlotAheadWasMovedBySomebodyElse"),
                row("the same, and nothing was copied, but an endpoint has counted")
                        .decides(known(PENDING).slotAt(AHEAD), "use 0/200, merge: " + moved, "refused: " + moved)
                        .drivenBy(StartTableIT.class, "whatACopyLeftIsMergedOnceTheSlotWasMoved"),
                row("the same, and nothing was sent")
                        .decides(known(PENDING).slotAt(AHEAD).counts(0), "use 0/200, copy: " + BROKE_OFF)
                        .drivenBy(StartTableIT.class, "aSlotThatWasMovedBeforeAnythingWasSentTakesNothingWithIt"),
                row("slot ahead of the confirmed position, new life, an endpoint has counted")
                        .decides(
                                known(PENDING).slotAt(AHEAD).emptied().counts(4),
                                "use 0/200, merge: " + moved,
                                "refused: " + moved)
                        .decides(
                                known(COPIED).slotAt(AHEAD).emptied().counts(4),
                                "use 0/200, merge: " + moved,
                                "refused: " + EMPTY)
                        .drivenBy(StartTableIT.class, "whatANewLifeTookFromUsIsMergedOnceTheSlotWasMoved"),
                row("slot at or behind the confirmed position")
                        .decides(known(COPIED).slotAt(BEFORE), GOES_ON)
                        .decides(known(COPIED).slotAt(CONFIRMED), GOES_ON)
                        .decides(known(COPIED).slotAt(BEFORE).walEnd(CONFIRMED), GOES_ON)
                        .drivenBy(StartTableTest.class, "aSlotBehindIsReplayedAndNothingIsLostOrKeptTwice"),
                row("no state file, and a slot that can be used")
                        .decides(withoutState().counts(0), "use 0/100, copy")
                        .decides(withoutState().counts(3).mode(NEVER), "use 0/100, stream only")
                        .drivenBy(StartTableIT.class, "aSlotWithoutAStateFileIsTakenOn"),
                row("publication made after what the slot still has to tell")
                        .drivenBy(StartTableTest.class, "aPublicationThatWasMadeAfterTheSlotCannotTellOfWhatWasBefore"),
                row("table in `tables` that the publication does not publish")
                        .drivenBy(StartTableTest.class, "aTableThatIsMissingFromThePublicationIsRefused"));
    }

    private static List<StartRow> ofTables() {
        String miscounted = "users counted other operations than were sent to it";
        String anew = "was dropped and made anew (oid 16384, the state file knows 99)";
        return List.of(
                row("table whose count once was not what was sent, same life")
                        .decides(
                                known(DOUBTED),
                                "use 0/100, merge: " + miscounted,
                                "DOUBTED on disk, refused: " + miscounted)
                        .decides(
                                known(COPIED).counts(12).countsWhatIsNotOurs(),
                                "use 0/100, merge: " + miscounted,
                                "DOUBTED on disk, refused: " + miscounted)
                        .decides(
                                known(PENDING).counts(12).countsWhatIsNotOurs(),
                                "use 0/100, merge: " + miscounted,
                                "DOUBTED on disk, refused: " + miscounted)
                        .decides(
                                known(UNKNOWN).counts(12).countsWhatIsNotOurs().mode(NEVER),
                                "DOUBTED on disk, refused: " + miscounted)
                        .decides(known(DOUBTED).mode(NEVER), "DOUBTED on disk, refused: " + miscounted)
                        .drivenBy(StartTableIT.class, "aCountThatIsNotOursIsFoundAlsoByAnotherProcess"),
                row("another table of the same name than the state file's, same life, endpoint has counted")
                        .decides(known(COPIED).knownOid(99), "use 0/100, merge: " + anew, "refused: " + anew)
                        .drivenBy(StartTableTest.class, "aTableThatWasMadeAnewUnderTheSameNameIsAnotherOne"),
                row("table not copied, endpoint has counted, no state knows why")
                        .decides(
                                withoutState(),
                                "use 0/100, merge: 9 operations, and the state file does not say",
                                "refused: 9 operations, and the state file does not say")
                        .decides(
                                known(COPIED).knownOid(99).knownAs(GOODS),
                                "use 0/100, merge: 9 operations, and the state file does not say",
                                "refused: 9 operations, and the state file does not say")
                        .drivenBy(
                                StartTableTest.class,
                                "aTableThatIsRemovedIsForgottenAndMergedWithWhatIsLeftOfItWhenItComesBack")
                        .drivenBy(StartTableIT.class, "withoutItsStateFileWhatFelderaHasIsMerged"),
                row("`initial` after `never`, endpoint has counted")
                        .decides(
                                known(UNKNOWN).counts(4),
                                "use 0/100, merge: 4 operations, and the state file does not say",
                                "refused: 4 operations, and the state file does not say")
                        .drivenBy(StartTableTest.class, "aTableThatOnlyStreamedIsMergedWithWhatTheStreamBrought"),
                row("table whose merge did not come to its end")
                        .decides(known(MERGING), "use 0/100, merge: " + BROKE_OFF)
                        .decides(known(MERGING).counts(0), "use 0/100, merge: " + BROKE_OFF)
                        .decides(known(MERGING).emptied().counts(4), "use 0/100, merge: " + BROKE_OFF)
                        .decides(known(MERGING).mode(NEVER), "use 0/100, merge: " + BROKE_OFF)
                        .drivenBy(StartTableIT.class, "aMergeThatBrokeIsMadeAgainWhateverThePolicy"));
    }

    private static List<StartRow> ofTablesThatStand() {
        return List.of(
                row("`snapshot.mode=never`")
                        .decides(known(UNKNOWN).mode(NEVER), "use 0/100, continue UNKNOWN 0/100 9")
                        .decides(known(COPIED).mode(NEVER), GOES_ON)
                        .decides(known(PENDING).mode(NEVER), "use 0/100, stream only")
                        .drivenBy(StartTableIT.class, "whereTablesAreNeverReadWhatIsLostIsRefused"),
                row("table copied, same life, also if it was renamed")
                        .decides(known(COPIED), GOES_ON)
                        .decides(known(COPIED).knownAs(GOODS), GOES_ON)
                        .drivenBy(StartTableTest.class, "aTableThatWasRenamedIsTheSameOne"),
                row("table that was left out of the stream to be read again, and of which nothing was changed")
                        .decides(known(LEFT_OUT), GOES_ON)
                        .drivenBy(StartTableIT.class, "aTableThatWasLeftOutStreamsOnFromWhereItStood"),
                row("table that left the publication and came back")
                        .drivenBy(StartTableTest.class, "aTableThatLeftThePublicationAndCameBackGoesOnAndItsGapIsTold"),
                row("table taken out of `tables`")
                        .drivenBy(
                                StartTableTest.class,
                                "aTableThatIsRemovedIsForgottenAndMergedWithWhatIsLeftOfItWhenItComesBack"),
                row("`initial` after `never`, endpoint counts 0")
                        .decides(known(UNKNOWN).counts(0), "use 0/100, copy")
                        .drivenBy(
                                StartTableTest.class,
                                "aTableThatOnlyStreamedAndTookNothingIsCopiedOnceCopyingIsAskedFor"),
                row("table not copied in this life, endpoint counts 0; also one that is new in `tables`")
                        .decides(known(PENDING).counts(0), "use 0/100, copy: " + BROKE_OFF)
                        .decides(known(COPIED).knownOid(99).counts(0), "use 0/100, copy")
                        .decides(known(COPIED).knownOid(99).knownAs(GOODS).counts(0), "use 0/100, copy")
                        .drivenBy(StartTableTest.class, "aTableThatIsAddedIsCopiedBesideTheSlotAndTheOthersGoOn"),
                row("table not copied in this life, endpoint has counted, the state file knows the table")
                        .decides(known(PENDING), "use 0/100, copy and skip nothing: " + BROKE_OFF)
                        .decides(known(PENDING).emptied().counts(4), "use 0/100, copy and skip nothing: " + EMPTY)
                        .decides(
                                known(COPIED).emptied().counts(4),
                                "use 0/100, copy and skip nothing: " + EMPTY,
                                "refused: " + EMPTY)
                        .drivenBy(FirstCopyTest.class, "rowsOfACopyThatBrokeAndAreDeletedSinceDoNotStay"),
                row("the same, and the Feldera table has no key")
                        .decides(known(PENDING).leaves(Leftovers.DOUBLED), "use 0/100, merge: would be there twice")
                        .drivenBy(KeylessCopyIT.class, "aCopyThatBrokeIsMergedAndHasNoRowTwice"),
                row("the same, and the table has drifted since: a partition went, it left the publication …")
                        .decides(known(PENDING).leaves(Leftovers.UNTOLD), "use 0/100, merge: it is not as it was")
                        .drivenBy(DriftedCopyIT.class, "whatItLeftIsTakenOutByAMerge"));
    }
}
